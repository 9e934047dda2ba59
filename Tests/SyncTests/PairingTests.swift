import Domain
import Testing

@testable import Sync

/// A holder of the codes by reference, so that expectations can be made of calls that change it.
private final class Book {
  private var pairings = Pairings()

  func open(_ random: [UInt8], for account: Account, by session: SessionID, at now: Int64) -> Bool {
    pairings.open(random, for: account, by: session, at: now)
  }

  func take(_ code: [UInt8], at now: Int64) -> Pairings.Pairing? { pairings.take(code, at: now) }

  func giveBack(_ pairing: Pairings.Pairing) { pairings.giveBack(pairing) }
}

@Suite("protocol §8 session.pair: a code lets its person in, once and soon") struct PairingTests {
  private static func account(_ user: UserID) -> Account {
    Account(
      id: user, username: "user-\(user)", password: PasswordHash(phc: "$"), recoveryGeneration: 1)
  }

  private static func code(_ number: UInt8, secret: UInt8 = 1) -> [UInt8] {
    [0, 0, number, secret, secret, secret, secret]
  }

  private static func opened(_ number: UInt8 = 1, for user: UserID = "a") -> Book {
    let pairings = Book()
    #expect(pairings.open(code(number), for: account(user), by: 1, at: 0))
    return pairings
  }

  @Test("it lets in whom it was made for, by the session that asked for it, and once")
  func once() throws {
    let pairings = Self.opened()
    let pairing = try #require(pairings.take(Self.code(1), at: 1))
    #expect(pairing.account == Self.account("a") && pairing.session == 1)
    #expect(pairings.take(Self.code(1), at: 2) == nil)
  }

  @Test("it is over after two minutes", arguments: [(119_999, true), (120_000, false)])
  func time(at milliseconds: Int64, isGood: Bool) {
    let pairings = Self.opened()
    #expect((pairings.take(Self.code(1), at: milliseconds) != nil) == isGood)
  }

  @Test("the fifth wrong try ends it", arguments: [(4, true), (5, false)])
  func tries(wrong: Int, isGood: Bool) {
    let pairings = Self.opened()
    for _ in 0..<wrong { #expect(pairings.take(Self.code(1, secret: 2), at: 1) == nil) }
    #expect((pairings.take(Self.code(1), at: 1) != nil) == isGood)
  }

  @Test("tries of one code use up no other, and what is no code uses up none")
  func others() {
    let pairings = Self.opened()
    #expect(pairings.open(Self.code(2), for: Self.account("b"), by: 2, at: 0))
    for _ in 0..<9 {
      #expect(pairings.take(Self.code(2, secret: 9), at: 1) == nil)
      #expect(pairings.take(Self.code(3), at: 1) == nil)
      #expect(pairings.take([], at: 1) == nil)
      #expect(pairings.take(Array(Self.code(1).dropLast()), at: 1) == nil)
    }
    #expect(pairings.take(Self.code(2), at: 1) == nil)
    #expect(pairings.take(Self.code(1), at: 1)?.account.id == "a")
  }

  @Test("another one of the same person takes its place, and its tries are its own")
  func replaced() {
    let pairings = Self.opened()
    for _ in 0..<4 { #expect(pairings.take(Self.code(1, secret: 2), at: 1) == nil) }
    #expect(pairings.open(Self.code(4), for: Self.account("a"), by: 1, at: 2))
    #expect(pairings.take(Self.code(1), at: 3) == nil)
    for _ in 0..<4 { #expect(pairings.take(Self.code(4, secret: 2), at: 3) == nil) }
    #expect(pairings.take(Self.code(4), at: 3) != nil)
  }

  @Test("a name that is taken is not given to another person until it is over")
  func names() {
    var pairings = Self.opened()
    #expect(!pairings.open(Self.code(1, secret: 5), for: Self.account("b"), by: 2, at: 1))
    #expect(pairings.take(Self.code(1), at: 2)?.account.id == "a")
    pairings = Self.opened()
    #expect(pairings.open(Self.code(1, secret: 5), for: Self.account("b"), by: 2, at: 120_000))
    // The one who had the name before takes nobody else's code along.
    #expect(pairings.open(Self.code(2), for: Self.account("a"), by: 1, at: 120_001))
    #expect(pairings.take(Self.code(1, secret: 5), at: 120_002)?.account.id == "b")
  }

  @Test("one by which nobody came in is given back, with its tries used and its time running")
  func givenBack() throws {
    var pairings = Self.opened()
    for _ in 0..<4 { #expect(pairings.take(Self.code(1, secret: 2), at: 1) == nil) }
    pairings.giveBack(try #require(pairings.take(Self.code(1), at: 2)))
    #expect(pairings.take(Self.code(1, secret: 2), at: 3) == nil)
    #expect(pairings.take(Self.code(1), at: 4) == nil)

    pairings = Self.opened()
    pairings.giveBack(try #require(pairings.take(Self.code(1), at: 2)))
    #expect(pairings.take(Self.code(1), at: 120_000) == nil)
  }

  @Test("A code is not good beside one that the person has asked for since")
  func givenBackLate() throws {
    let pairings = Self.opened()
    let pairing = try #require(pairings.take(Self.code(1), at: 2))
    #expect(pairings.open(Self.code(4), for: Self.account("a"), by: 1, at: 3))
    pairings.giveBack(pairing)
    #expect(pairings.take(Self.code(1), at: 4) == nil)
    #expect(pairings.take(Self.code(4), at: 4) != nil)
  }

  @Test("many that are over make room and take none along that is not")
  func sweep() {
    let pairings = Book()
    for number in 0..<5_000 {
      let user = UserID(UUID(high: 9, low: UInt64(number)))
      let name = [UInt8(number >> 8), UInt8(number & 0xFF), 0]
      #expect(
        pairings.open(
          name + [1, 1, 1, 1], for: Self.account(user), by: 1, at: Int64(number) * 100))
    }
    let (last, first) = (4_999, 5_000 - 1_200)
    #expect(
      pairings.take([UInt8(last >> 8), UInt8(last & 0xFF), 0, 1, 1, 1, 1], at: 499_950) != nil)
    #expect(
      pairings.take([UInt8(first >> 8), UInt8(first & 0xFF), 0, 1, 1, 1, 1], at: 499_950) != nil)
  }
}
