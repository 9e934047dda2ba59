import Synchronization
import Testing

@testable import Crypto

/// A clock that a test sets.
final class TestClock: Sendable {
  private let seconds = Atomic(0)

  var now: Int { seconds.load(ordering: .relaxed) }

  func set(_ now: Int) { seconds.store(now, ordering: .relaxed) }
}

@Suite("RFC 5077 §5.5: keys of tickets")
struct TLSTicketKeyTests {
  private let clock = TestClock()
  private let keys: TLSTicketKeys

  init() throws {
    let clock = clock
    clock.set(1000)
    keys = try TLSTicketKeys(seconds: 100, clock: { clock.now })
  }

  private func name(at seconds: Int) throws -> [UInt8] {
    clock.set(seconds)
    return Array(try #require(keys.sealing()).name)
  }

  /// Whether the key is old; nil when it is gone.
  private func isOld(_ name: [UInt8], at seconds: Int) -> Bool? {
    clock.set(seconds)
    return name.withUnsafeBufferPointer { keys.opening($0)?.isOld }
  }

  @Test("a key seals for its time, opens for as long again, and is gone")
  func life() throws {
    let first = try name(at: 1000)
    #expect(try name(at: 1099) == first)
    #expect(isOld(first, at: 1099) == false)
    let second = try name(at: 1100)
    #expect(second != first)
    #expect(isOld(first, at: 1100) == true)
    #expect(isOld(second, at: 1100) == false)
    #expect(isOld(first, at: 1199) == true)
    #expect(isOld(first, at: 1200) == nil)
    #expect(isOld(second, at: 1200) == true)
  }

  @Test("after a long silence nothing old is left")
  func silence() throws {
    let first = try name(at: 1000)
    #expect(isOld(first, at: 5000) == nil)
  }

  @Test("a clock that is set back keeps no key for ever")
  func setBack() throws {
    let first = try name(at: 1000)
    #expect(try name(at: 10) != first)
    #expect(isOld(first, at: 10) == nil)
  }

  @Test("names of others are not ours")
  func strangers() throws {
    #expect(isOld([UInt8](repeating: 0, count: 16), at: 1000) == nil)
  }
}
