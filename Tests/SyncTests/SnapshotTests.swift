import Domain
import Testing

@testable import Sync

@Suite("DESIGN §6: snapshots that are kept") struct SnapshotTests {
  private let one = SnapshotForm(.category(CategoryID(UUID(high: 1, low: 1))))
  private let two = SnapshotForm(.category(CategoryID(UUID(high: 1, low: 2))))
  private let three = SnapshotForm(.category(CategoryID(UUID(high: 1, low: 3))))

  private func pages(_ seq: Int64, count: Int = 3, bytes: Int = 100) -> SnapshotPages<Int> {
    SnapshotPages(
      epoch: Epoch("e"), seq: seq, frames: Array(repeating: Int(seq), count: count), bytes: bytes)
  }

  @Test("the snapshot that somebody is in the middle of stays, whoever else comes")
  func inUse() {
    var cache = SnapshotCache<Int>(bytesMax: 150)
    cache.keep(pages(1), of: one, now: 0)
    cache.noteGiven(0, of: one, at: 1, now: 0)
    let takes = [400, 600].map { size in cache.takes(size, now: 10) }
    #expect(takes == [true, false])
    cache.keep(pages(1), of: two, now: 10)
    cache.noteGiven(0, of: two, at: 1, now: 10)
    cache.keep(pages(1), of: three, now: 10)
    #expect(cache.bytes == 300)
    let held = [one, two].map { stream in cache.pages(of: stream, at: 1, now: 10) != nil }
    #expect(held == [true, true])
  }

  @Test("The forms of a list with and without talk are kept apart")
  func forms() {
    var cache = SnapshotCache<Int>(bytesMax: 1_000)
    let forms = [TalkShown.all, .since(5), .since(7), .none].map {
      SnapshotForm(one.stream, talk: $0)
    }
    for form in forms.dropLast() { cache.keep(pages(1), of: form, now: 0) }
    let held = forms.map { cache.pages(of: $0, at: 1, now: 1) != nil }
    #expect(held == [true, true, true, false])
  }

  @Test("a snapshot whose readers have all come to the end makes room")
  func finished() {
    var cache = SnapshotCache<Int>(bytesMax: 150)
    cache.keep(pages(1, bytes: 400), of: one, now: 0)
    for _ in 0..<2 { cache.noteGiven(0, of: one, at: 1, now: 0) }
    cache.noteGiven(2, of: one, at: 1, now: 5)
    #expect(cache.bytes == 400)
    cache.noteGiven(2, of: one, at: 1, now: 6)
    #expect(cache.bytes == 0)
  }

  @Test("whoever asks for no page for a while, or takes very long, keeps no place")
  func slow() {
    var cache = SnapshotCache<Int>(bytesMax: 100)
    cache.keep(pages(1, bytes: 400), of: one, now: 0)
    cache.noteGiven(0, of: one, at: 1, now: 0)
    let idle = SnapshotLimits.idleMilliseconds
    let takesAnother = cache.takes(100, now: idle)
    #expect(!takesAnother)
    var now: Int64 = 0
    while now <= SnapshotLimits.placeMilliseconds {
      let isKept = cache.pages(of: one, at: 1, now: now) != nil
      let takesAnother = cache.takes(100, now: now)
      #expect(isKept && !takesAnother)
      now += idle
    }
    _ = cache.pages(of: one, at: 1, now: now)
    let takesAfterAll = cache.takes(100, now: now)
    #expect(takesAfterAll)
    #expect(cache.bytes == 0)

    cache.keep(pages(2, bytes: 400), of: one, now: now)
    cache.noteGiven(0, of: one, at: 2, now: now)
    let takesFromIdle = cache.takes(100, now: now + idle + 1)
    #expect(takesFromIdle)
  }

  @Test("a list that is larger than all the room is taken when it is alone")
  func alone() {
    var cache = SnapshotCache<Int>(bytesMax: 10)
    let takesAll = cache.takes(1_000, now: 0)
    #expect(takesAll)
    cache.keep(pages(1, bytes: 1_000), of: one, now: 0)
    cache.noteGiven(0, of: one, at: 1, now: 0)
    let takesMore = cache.takes(1, now: 0)
    #expect(!takesMore)
  }
}
