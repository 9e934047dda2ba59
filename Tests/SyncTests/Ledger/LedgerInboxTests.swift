import Domain
import Testing

@testable import Sync

extension LedgerReply {
  /// The reply of a work with this place among all that were sent.
  static func numbered(_ number: Int) -> LedgerReply { .authenticator(VisitID(number: number)) }
}

extension LedgerQueue.Entry {
  /// The place of the work among all that were sent; -1 for one without.
  var number: Int { if case .authenticator(let place) = reply { place.number } else { -1 } }
}

@Suite("P7, P11: commands that are refused before they are decided") struct LedgerInboxTests {
  private static func inbox(burst: Int64 = 5) -> LedgerInbox {
    let rate = TokenRate(count: 10, everyMilliseconds: 1_000, burst: burst)
    return LedgerInbox(
      KindLimits(people: rate, bots: rate, restMilliseconds: 1_000),
      lines: .lines(restMilliseconds: 1_000))
  }

  private static func user(_ number: Int) -> UserID { UserID(UUID(high: 0, low: UInt64(number))) }

  private static func command(
    _ user: Int, _ number: Int, isRefusable: Bool = true
  ) -> LedgerInbox.Entry {
    LedgerInbox.Entry(
      .command(
        Submission(
          actor: Actor(user: Self.user(user), session: nil),
          command: .markRead(.user(Self.user(user)), seq: 1),
          key: CommandKey("k")!, hash: [])),
      .numbered(number), isRefusable: isRefusable)
  }

  /// Returns settlements of so many works, of which each took that long.
  private static func settlements(_ count: Int, took nanoseconds: Int64 = 0) -> [Settlement] {
    (0..<count).map { _ in
      Settlement(
        result: .success(CommandResult(changed: true)), repeated: false,
        tookNanoseconds: nanoseconds)
    }
  }

  /// Takes works and settles them. Returns the replies of those settled, and of those refused.
  private static func turn(
    _ inbox: inout LedgerInbox, _ most: Int = 256, at now: Int64, took nanoseconds: Int64 = 0,
    settling count: Int = .max, commit: LedgerTurn.Commit = .committed(events: 1),
    committed: Int64 = 0
  ) -> (settled: [Int], refused: [Int]) {
    let (entries, refused) = inbox.take(most, at: now)
    let settled = min(entries.count, count)
    let behind = inbox.note(
      entries, settlements(settled, took: nanoseconds), commit, took: committed, refused: refused,
      at: now)
    return (entries.prefix(settled).map(\.number), (refused + behind).map(\.entry.number))
  }

  @Test("Commands beyond the rate are refused, and so is all that waits behind them")
  func beyondTheRate() {
    var inbox = Self.inbox()
    for number in 0..<9 { #expect(inbox.add(Self.command(1, number), at: 0) == nil) }
    let first = Self.turn(&inbox, 7, at: 0)
    #expect(first.settled == [0, 1, 2, 3, 4] && first.refused == [5, 6, 7, 8])
    #expect(inbox.isEmpty)
    // A token is there again, and the sender rests.
    let refusal = inbox.add(Self.command(1, 9), at: 999)
    #expect(refusal?.entry.number == 9 && refusal?.failure == .rateLimited(afterMilliseconds: 1))
    #expect(inbox.add(Self.command(2, 10), at: 999) == nil, "others go on")
    #expect(inbox.add(Self.command(1, 5), at: 1_000) == nil)
    #expect(Self.turn(&inbox, at: 1_000).settled == [10, 5])
  }

  private static func line(
    _ user: Int, _ number: Int, _ command: LineCommand? = nil, kind: UserKind = .person
  ) -> LedgerInbox.Entry {
    let say = LineCommand.say(.group(GroupID(UUID(high: 0, low: 1))), text: "x")
    return LedgerInbox.Entry(
      .command(
        Submission(
          actor: Actor(user: Self.user(user), session: nil, kind: kind),
          command: .line(command ?? say), key: CommandKey("k")!, hash: [])),
      .numbered(number), isRefusable: true)
  }

  @Test("A person says 30 lines at once, and one more every two seconds")
  func lines() {
    var inbox = Self.inbox(burst: 1_000)
    for number in 0..<32 { _ = inbox.add(Self.line(1, number), at: 0) }
    _ = inbox.add(Self.command(1, 40), at: 0)
    _ = inbox.add(Self.line(2, 50), at: 0)
    let first = Self.turn(&inbox, at: 0)
    #expect(Set(first.settled) == Set(Array(0..<30) + [50]))
    // The commands behind the refused line wait too, or they would overtake it.
    #expect(Set(first.refused) == [30, 31, 40])
    #expect(
      inbox.add(Self.command(1, 40), at: 1_500)?.failure == .rateLimited(afterMilliseconds: 500))
    for number in [30, 31] { _ = inbox.add(Self.line(1, number), at: 2_000) }
    let second = Self.turn(&inbox, at: 2_000)
    #expect(second.settled == [30] && second.refused == [31])
  }

  @Test("A change of a line takes from the same rate, and a removal from none")
  func linesThatChange() {
    let group = StreamID.group(GroupID(UUID(high: 0, low: 1)))
    var inbox = Self.inbox(burst: 1_000)
    for number in 0..<30 {
      let change = LineCommand.edit(group, line: 1, text: "y")
      _ = inbox.add(Self.line(1, number, number.isMultiple(of: 2) ? change : nil), at: 0)
    }
    for number in 30..<60 {
      _ = inbox.add(Self.line(1, number, .remove(group, line: 1)), at: 0)
    }
    _ = inbox.add(Self.command(1, 60), at: 0)
    #expect(Self.turn(&inbox, at: 0).settled == Array(0..<61))
    _ = inbox.add(Self.line(1, 61), at: 1)
    #expect(Self.turn(&inbox, at: 1).refused == [61])
  }

  @Test("A bot says 300 lines at once")
  func linesOfBots() {
    var inbox = Self.inbox(burst: 1_000)
    for number in 0..<301 { _ = inbox.add(Self.line(1, number, kind: .bot), at: 0) }
    var settled: [Int] = []
    var refused: [Int] = []
    while !inbox.isEmpty {
      let turn = Self.turn(&inbox, at: 0)
      settled += turn.settled
      refused += turn.refused
    }
    #expect(settled == Array(0..<300) && refused == [300])
  }

  @Test("Dear work pays for a commit that is made for it alone")
  func ownCommit() {
    var inbox = Self.inbox(burst: 100)
    for number in 0..<4 { _ = inbox.add(Self.command(1, number), at: 0) }
    #expect(Self.turn(&inbox, 1, at: 0, took: 9_000_000).settled == [0])
    #expect(Self.turn(&inbox, at: 1, took: 2_000_000, committed: 3_000_000).settled == [1])
    #expect(Self.turn(&inbox, at: 2, took: 2_000_000, committed: 8_000_000).settled == [2])
    _ = inbox.add(Self.command(2, 10), at: 3)
    #expect(Self.turn(&inbox, at: 3).settled == [10])
    // 15 of some 10 ms are used, so the rest waits.
    #expect(Self.turn(&inbox, at: 4).settled == [])
  }

  @Test("A rest is counted from the end of the turn, when its refusal is told")
  func longTurn() {
    var inbox = Self.inbox()
    for number in 0..<6 { _ = inbox.add(Self.command(1, number), at: 0) }
    let (entries, refused) = inbox.take(9, at: 0)
    #expect(refused.map(\.failure) == [.rateLimited(afterMilliseconds: 1_000)])
    _ = inbox.note(
      entries, Self.settlements(5), .committed(events: 5), took: 0, refused: refused, at: 1_500)
    #expect(inbox.add(Self.command(1, 6), at: 2_499)?.entry.number == 6)
    #expect(inbox.add(Self.command(1, 5), at: 2_500) == nil)
  }

  @Test("Works of the server itself and of the authenticator are never refused")
  func others() {
    var inbox = Self.inbox()
    for number in 0..<9 {
      #expect(inbox.add(Self.command(1, number, isRefusable: false), at: 0) == nil)
    }
    #expect(Self.turn(&inbox, at: 0, commit: .failed).settled == Array(0..<9))
    #expect(inbox.add(Self.command(1, 9, isRefusable: false), at: 1) == nil)
    #expect(
      inbox.add(Self.command(1, 10), at: 1)?.failure == .unavailable(afterMilliseconds: 2_000))
  }

  @Test("A command that was counted and put back comes before the one that was refused")
  func countedOnce() {
    var inbox = Self.inbox()
    for number in 0..<6 { _ = inbox.add(Self.command(1, number), at: 0) }
    let first = Self.turn(&inbox, at: 0, settling: 1)
    #expect(first.settled == [0] && first.refused == [5])
    #expect(inbox.count == 4)
    #expect(inbox.add(Self.command(1, 6), at: 1)?.entry.number == 6)
    #expect(Self.turn(&inbox, at: 2).settled == [1, 2, 3, 4])
  }

  @Test("Behind a dear lane, what came behind a refused command does not overtake it")
  func behindDearWork() {
    var inbox = Self.inbox()
    for number in 0..<6 { _ = inbox.add(Self.command(1, number), at: 0) }
    // The first is dear. Four are counted and wait for their share of the time; the sixth is refused.
    let first = Self.turn(&inbox, at: 0, took: 26_000_000, settling: 1)
    #expect(first.settled == [0] && first.refused == [5])
    // More of the same sender arrives while it rests, and its lane waits for longer than that.
    #expect(inbox.add(Self.command(1, 6), at: 500)?.entry.number == 6)
    var settled: [Int] = []
    for now in stride(from: Int64(10), to: 30_000, by: 10) {
      _ = inbox.add(Self.command(2 + Int(now) % 7, 1_000), at: now)
      if now == 1_000 { #expect(inbox.add(Self.command(1, 5), at: now) == nil, "the refused one") }
      if now == 1_010 { #expect(inbox.add(Self.command(1, 6), at: now) == nil) }
      settled += Self.turn(&inbox, at: now, took: 1_000_000).settled.filter { $0 < 1_000 }
    }
    #expect(settled == [1, 2, 3, 4, 5, 6])
  }

  @Test(
    "When a commit fails, the commands that wait in a dear lane are refused with those before them")
  func failedCommitOfDearWork() {
    for commit in [LedgerTurn.Commit.failed, .unknown] {
      var inbox = Self.inbox(burst: 50)
      for number in 0..<4 { _ = inbox.add(Self.command(1, number), at: 0) }
      _ = inbox.add(Self.command(2, 100), at: 0)
      #expect(Self.turn(&inbox, 1, at: 0, took: 9_000_000).settled == [0])
      #expect(Self.turn(&inbox, at: 1).settled == [100])
      let failed = Self.turn(&inbox, at: 2, commit: commit)
      #expect(failed.settled == [1] && failed.refused == [2, 3])
      let refusal = inbox.add(Self.command(1, 4), at: 2_001)
      #expect(refusal?.failure == .unavailable(afterMilliseconds: 2_000))
      for number in 1..<4 { #expect(inbox.add(Self.command(1, number), at: 2_002) == nil) }
      #expect(Self.turn(&inbox, at: 5_000).settled == [1, 2, 3])
    }
  }

  @Test("A command that took long is charged as more requests")
  func charged() {
    for (nanoseconds, left) in [(Int64(9_999_999), 9), (10_000_000, 5), (90_000_000, 0)] {
      var inbox = Self.inbox(burst: 10)
      for number in 0..<10 { _ = inbox.add(Self.command(1, number), at: 0) }
      let (entries, _) = inbox.take(1, at: 0)
      // Only one is taken, so the others are not counted yet.
      _ = inbox.note(
        entries, Self.settlements(1, took: nanoseconds), .committed(events: 1), took: 0, at: 0)
      var settled: [Int] = []
      for _ in 0..<9 { settled += Self.turn(&inbox, at: 0).settled }
      #expect(settled == Array(1..<(1 + left)))
    }
  }
}
