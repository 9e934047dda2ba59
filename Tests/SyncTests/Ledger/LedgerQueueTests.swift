import Domain
import Testing

@testable import Sync

@Suite("P11, P7: work that waits for the ledger") struct LedgerQueueTests {
  private static func user(_ number: Int) -> UserID { UserID(UUID(high: 0, low: UInt64(number))) }

  private static func entry(_ user: Int, _ number: Int) -> LedgerQueue.Entry {
    LedgerQueue.Entry(
      .useSession(
        SessionID(UUID(high: 0, low: 1)), of: Self.user(user), at: Timestamp(milliseconds: 0)),
      .numbered(number), isRefusable: false)
  }

  /// Returns a queue with forty works of the first person, then one of each of two others.
  private static func queue() -> LedgerQueue {
    var queue = LedgerQueue()
    for number in 0..<40 { queue.add(entry(1, number)) }
    queue.add(entry(2, 100))
    queue.add(entry(3, 200))
    return queue
  }

  @Test("Who sends much at once waits for it alone")
  func turns() {
    var queue = Self.queue()
    #expect(queue.take(5, at: 0).map(\.number) == [0, 100, 200, 1, 2])
    queue.add(Self.entry(2, 101))
    #expect(queue.take(3, at: 0).map(\.number) == [3, 101, 4])
    #expect(queue.count == 35)
    #expect(queue.take(100, at: 0).map(\.number) == Array(5..<40))
    #expect(queue.isEmpty && queue.take(1, at: 0).isEmpty)
  }

  @Test("Behind a long work those who send one command each go alone, before the others")
  func shortLanes() {
    var queue = LedgerQueue()
    for number in 0..<40 { for user in 1...4 { queue.add(Self.entry(user, 100 * user + number)) } }
    queue.add(Self.entry(9, 0))
    #expect(queue.take(2, at: 0).map(\.number) == [100, 200])
    queue.note(Self.entry(1, 100), took: 2_000_000, at: 5)
    queue.add(Self.entry(8, 1))
    #expect(queue.take(9, at: 5).map(\.number) == [0, 1])
    queue.add(Self.entry(9, 2))
    #expect(queue.take(3, at: 6).map(\.number) == [300, 400, 101])
    queue.note(Self.entry(3, 300), took: 1_999_999, at: 7)
    #expect(queue.take(2, at: 7).map(\.number) == [201, 2])
  }

  @Test("Behind a long turn, somebody's one command is taken before what came with it of others")
  func alone() {
    var queue = LedgerQueue()
    for number in 0..<3 { queue.add(Self.entry(1, number)) }
    queue.add(Self.entry(9, 9))
    #expect(queue.take(8, at: 0).map(\.number) == [0, 1, 2, 9])
    for number in 0..<4 { queue.note(Self.entry(1, number), took: 500_000, at: 1) }
    for number in 3..<6 { queue.add(Self.entry(1, number)) }
    queue.add(Self.entry(9, 10))
    #expect(queue.take(8, at: 2).map(\.number) == [10])
    #expect(queue.take(8, at: 3).map(\.number) == [3, 4, 5])
    queue.note(Self.entry(1, 3), took: 2_000_000, at: 4)
    for user in [3, 2, 1] { queue.add(Self.entry(user, 10 * user)) }
    #expect(queue.take(8, at: 5).map(\.number) == [30, 20, 10])
  }

  @Test("However many send one command each, somebody with two has their turn")
  func notAloneForEver() {
    var (queue, served) = (LedgerQueue(), 0)
    for number in 0..<40 { queue.add(Self.entry(1, number)) }
    for now in 0..<Int64(100) {
      for user in 2...6 { queue.add(Self.entry(user, 1_000)) }
      for entry in queue.take(8, at: now) {
        queue.note(entry, took: 1_000_000, at: now)
        if entry.number < 1_000 { served += 1 }
      }
    }
    #expect(served == 40)
  }

  @Test("Works of one person are taken out in their order, and the others stay")
  func takenOut() {
    var queue = Self.queue()
    #expect(
      queue.takeOut(of: Self.user(1)) { $0.number % 2 == 1 }.map(\.number)
        == Array(stride(from: 1, to: 40, by: 2)))
    #expect(queue.count == 22)
    #expect(queue.takeOut(of: Self.user(2)) { _ in true }.map(\.number) == [100])
    #expect(queue.takeOut(of: Self.user(4)) { _ in true }.isEmpty)
    #expect(queue.take(3, at: 0).map(\.number) == [0, 200, 2])
    #expect(queue.take(100, at: 0).map(\.number) == Array(stride(from: 4, to: 40, by: 2)))
    #expect(queue.isEmpty)
  }

  @Test("Work that had no time comes first again, in its order")
  func putBack() {
    var queue = Self.queue()
    let taken = queue.take(5, at: 0)
    queue.putBack(taken[1...])
    #expect(queue.count == 41)
    #expect(queue.take(6, at: 0).map(\.number) == [100, 200, 1, 2, 3, 4])
    queue.putBack([])
    #expect(queue.count == 35)
  }

  @Test("Work that fits into one batch is taken as it came, and the rest takes turns")
  func oneBatch() {
    var queue = Self.queue()
    let taken = queue.take(42, at: 0)
    #expect(taken.map(\.number) == Array(0..<40) + [100, 200])
    queue.putBack(taken[10...])
    #expect(queue.take(4, at: 0).map(\.number) == [10, 100, 200, 11])
  }

  @Test("Whatever is taken and put back, a person's work stays in its order and none is lost")
  func order() {
    var queue = LedgerQueue()
    var (next, seen, number) = ([UserID: Int](), 0, 7)
    for round in 0..<400 {
      number = (number * 1_103 + 12_345) % 65_536
      let user = 1 + number % 3
      queue.add(Self.entry(user, round))
      guard round % 4 == 0 else { continue }
      let now = Int64(round * 20)
      let taken = queue.take(1 + number % 7, at: now)
      if let last = taken.last { queue.note(last, took: Int64(number % 16) * 1_000_000, at: now) }
      let kept = number % (taken.count + 1)
      for entry in taken.prefix(kept) {
        guard case .useSession(_, let user, _) = entry.work else { continue }
        #expect(entry.number > next[user, default: -1])
        next[user] = entry.number
        seen += 1
      }
      queue.putBack(taken.dropFirst(kept))
    }
    while !queue.isEmpty { seen += queue.take(1_000, at: 100_000).count }
    #expect(seen == 400)
  }

  /// The first person's work took 9 ms, and is dear for 1.8 s. The others' works are settled.
  private static func dear() -> LedgerQueue {
    var queue = queue()
    let taken = queue.take(42, at: 0)
    queue.putBack(taken[1..<40])
    queue.note(taken[0], took: 9_000_000, at: 49)
    queue.note(taken[40], took: 7_999_999, at: 49)
    return queue
  }

  /// Makes an undo of so many events.
  private static func undo(_ user: Int, events: Int64, _ number: Int) -> LedgerQueue.Entry {
    let user = Self.user(user)
    let target = UndoTarget(stream: .user(user), events: Array(1...events), seen: nil)
    return LedgerQueue.Entry(
      .command(
        Submission(
          actor: Actor(user: user, session: nil), command: .undo(target),
          key: CommandKey("k")!, hash: [])),
      .numbered(number), isRefusable: true)
  }

  @Test("Dear work waits until that of others is settled, and then comes one by one")
  func dearComesLast() {
    var queue = Self.dear()
    queue.add(Self.entry(2, 101))
    queue.add(Self.entry(4, 300))
    #expect(queue.take(256, at: 50).map(\.number) == [101, 300])
    #expect(queue.take(256, at: 51).map(\.number) == [1])
    queue.add(Self.entry(3, 201))
    #expect(queue.take(256, at: 52).map(\.number) == [201])
    #expect(queue.take(256, at: 53).map(\.number) == [2])
    #expect(queue.count == 37)
  }

  @Test("Dear work waits a quarter of a second at most, whatever others send")
  func dearComesAtLast() {
    var queue = Self.dear()
    var seen: [Int] = []
    for now in stride(from: Int64(100), through: 1_100, by: 10) {
      queue.add(Self.entry(2, 1_000))
      seen += queue.take(256, at: now).map(\.number).filter { $0 < 40 }
    }
    #expect(seen == [1, 2, 3])
  }

  @Test("While others are served, dear work gets a three hundredth of the time")
  func shareOfTime() {
    var (queue, busy, now) = (LedgerQueue(), Int64(0), Int64(0))
    for number in 0..<400 {
      queue.add(Self.entry(1 + number % 4, number))
    }
    let end: Int64 = 20_000
    while now < end {
      queue.add(Self.entry(9, 1_000))
      for entry in queue.take(1, at: now) where entry.number < 400 {
        queue.note(entry, took: 10_000_000, at: now)
        (busy, now) = (busy + 10, now + 10)
      }
      now += 5
    }
    // Besides there are the first work of each, the time that was kept, and one work that went beyond it.
    #expect(busy >= end / 300 && busy <= end / 300 + 4 * 10 + 10 + 10)
    #expect(queue.count > 300)
  }

  @Test("Without others dear work has all the time, and whoever waits for it knows how long")
  func aloneAgain() {
    var queue = Self.dear()
    #expect(queue.take(256, at: 50).map(\.number) == [1])
    queue.note(Self.entry(1, 1), took: 18_000_000, at: 99)
    queue.add(Self.entry(2, 101))
    #expect(queue.take(256, at: 100).map(\.number) == [101])
    // 18 of 10 ms were used. The first 9 ms were those of somebody who was not dear.
    #expect(queue.take(256, at: 101).map(\.number) == [])
    let wait = queue.milliseconds(at: 101)
    #expect(wait == 999)
    #expect(queue.take(256, at: 1_099).map(\.number) == [])
    #expect(queue.take(256, at: 1_100).map(\.number) == [2])
    #expect(queue.take(256, at: 1_100).map(\.number) == [3])
    #expect(queue.take(1, at: 0, isLast: true).map(\.number) == [4])
  }

  @Test("Dear work pays for its own commit, and for no more of a disk that stalls")
  func ownCommit() {
    var people = DearPeople()
    _ = people.note(Self.user(1), 9_000_000, commands: 1, at: 0)
    // A short one pays for none.
    _ = people.note(Self.user(1), 1_999_999, committed: 900_000_000, commands: 1, at: 0)
    people.othersAreServed(at: 0)
    #expect(people.milliseconds(at: 0) == 0)
    _ = people.note(Self.user(1), 2_000_001, committed: 900_000_000, commands: 1, at: 0)
    // 14 of 10 ms are used.
    #expect(people.milliseconds(at: 0) == 1_000)
  }

  @Test("Nobody waits for a share of the time longer than eight seconds")
  func owed() {
    var people = DearPeople()
    for _ in 0..<2 { _ = people.note(Self.user(1), 900_000_000, commands: 1, at: 0) }
    people.othersAreServed(at: 7_300)
    let early = people.milliseconds(at: 7_300)
    let late = people.milliseconds(at: 7_801)
    #expect(early == 501 && late == 0)
  }

  @Test("A long undo waits behind the work of others before it is known how long it takes")
  func presumed() {
    var queue = LedgerQueue()
    queue.add(Self.undo(1, events: 50, 0))
    queue.add(Self.undo(2, events: 49, 100))
    queue.add(Self.entry(3, 200))
    #expect(queue.take(256, at: 0).map(\.number) == [100, 200])
    #expect(queue.take(256, at: 1).map(\.number) == [0])
    // Somebody whose other work waits already.
    queue.add(Self.entry(2, 101))
    queue.add(Self.entry(2, 102))
    #expect(queue.take(1, at: 2).map(\.number) == [101])
    queue.add(Self.undo(2, events: 50, 103))
    queue.add(Self.entry(3, 201))
    #expect(queue.take(256, at: 3).map(\.number) == [201])
    #expect(queue.take(256, at: 4).map(\.number) == [102])
    #expect(queue.take(256, at: 5).map(\.number) == [103])
    #expect(queue.take(256, at: 2_000).isEmpty)
    queue.add(Self.entry(2, 104))
    queue.add(Self.entry(3, 202))
    #expect(queue.take(256, at: 2_001).map(\.number) == [104, 202])
  }

  @Test("Somebody who is dear now and then keeps nobody from the share")
  func nowAndThen() {
    var (queue, served) = (LedgerQueue(), 0)
    for number in 0..<100 { queue.add(Self.undo(1, events: 50, number)) }
    for now in stride(from: Int64(0), to: 60_000, by: 10) {
      // 9 ms each 2 seconds, so that the time as dear is over by then.
      if now % 2_000 == 0 { queue.add(Self.entry(2, 1_000)) }
      if now % 500 == 0 { queue.add(Self.entry(3, 1_001)) }
      for entry in queue.take(8, at: now) {
        queue.note(entry, took: entry.number == 1_001 ? 0 : 9_000_000, at: now)
        if entry.number < 100 { served += 1 }
      }
    }
    #expect(served > 15)
  }

  @Test("A batch is dear when each of its commands is, and not for their number")
  func batches() {
    var people = DearPeople()
    let user = Self.user(1)
    let short = people.note(user, 7_999_999, commands: 1, at: 0)
    let large = people.note(user, 19_999_999, commands: 100, at: 0)
    #expect(!short && !large && people.isNobody)
    let dear = people.note(user, 20_000_000, commands: 100, at: 0)
    #expect(dear && people.has(user))
  }

  @Test("Whoever sends works of some milliseconds one after another is dear")
  func sums() {
    var people = DearPeople()
    let (busy, slow, quick) = (Self.user(1), Self.user(2), Self.user(3))
    let first = people.note(busy, 5_000_000, commands: 1, at: 0)
    let second = people.note(busy, 5_000_000, commands: 1, at: 199)
    #expect(!first && second && people.has(busy))
    for now in stride(from: Int64(0), through: 60_000, by: 1_000) {
      _ = people.note(slow, 5_000_000, commands: 1, at: now)
    }
    for now in 0..<Int64(1_000) { _ = people.note(quick, 1_999_999, commands: 1, at: now) }
    #expect(!people.has(slow) && !people.has(quick))
  }

  @Test("Nobody is dear for longer than their works were, once none of theirs waits")
  func dearNoMore() {
    var queue = Self.dear()
    queue.add(Self.entry(2, 101))
    #expect(queue.take(3, at: 1_849).map(\.number) == [101])
    for number in 1..<39 { #expect(queue.take(3, at: 9_000).map(\.number) == [number]) }
    queue.add(Self.entry(2, 102))
    #expect(queue.take(1, at: 9_000).map(\.number) == [102])
    #expect(queue.take(3, at: 9_001).map(\.number) == [39])
    for number in 40..<42 { queue.add(Self.entry(1, number)) }
    queue.add(Self.entry(2, 103))
    #expect(queue.take(3, at: 9_002).map(\.number) == [40, 41, 103])
  }

  @Test("Dear work that is put back comes first again")
  func dearPutBack() {
    var queue = Self.dear()
    let taken = queue.take(256, at: 50)
    queue.putBack(taken[...])
    #expect(queue.count == 39)
    #expect(queue.take(256, at: 51).map(\.number) == [1])
  }
}
