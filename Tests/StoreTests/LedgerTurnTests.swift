import Calendar
import Domain
import Sync
import Synchronization
import Testing
import Wire

@testable import Store

/// A ledger that runs turns over a store that can be made to fail.
private final class TurnDriver {
  let driver: LedgerDriver
  let store: any EventStore
  private var ledger: Ledger
  let author: UserID
  let editor: UserID
  let category: CategoryID

  init(_ kind: StoreKind, _ pair: StorePair) throws {
    store = pair.writer
    driver = LedgerDriver(store)
    author = try driver.person("author")
    editor = try driver.person("editor")
    category = try driver.category("groceries", by: author)
    try driver.bring(editor, "editor", to: .category(category), by: author)
    ledger = Ledger(storeEpoch: store.identity.epoch, cacheBytesMax: 1 << 20, almanac: .system)
  }

  func turn(
    _ works: [LedgerWork], zones: [String]? = nil, hasRoom: Bool = true,
    cpu: @escaping () -> Int64 = { 0 }, machine: @escaping () -> Int64 = { 0 },
    most: Int64? = nil,
    commit: (LedgerTransaction) throws(StoreError) -> Void
  ) -> LedgerTurn {
    let driver = driver
    let tools = LedgerTools(
      newTransaction: { _ in TransactionID(driver.name()) },
      isZone: { zones?.contains($0) ?? true },
      hasRoom: { _ in hasRoom }, cpuNanoseconds: cpu, machineNanoseconds: machine,
      turnNanosecondsMax: most)
    let now = Timestamp(milliseconds: driver.now)
    return ledger.turn(works, at: now, in: store, tools, commit: commit)
  }

  func commit(_ transaction: LedgerTransaction) throws(StoreError) {
    try store.commit(transaction)
  }

  func post(_ key: String, in category: CategoryID? = nil) throws -> LedgerWork {
    let id = PostID(driver.name())
    return try driver.work(
      .post(.add(category ?? self.category, id, title: key, notes: "")), by: author, key: key)
  }

  var head: Int64 {
    get throws { try store.head(of: .category(category))?.seq ?? 0 }
  }
}

@Suite("DESIGN §6: one turn of the ledger")
struct LedgerTurnTests {
  private static let fault = StoreFault(.disk, "the disk failed")

  @Test("A turn without time left leaves the rest of its work, and takes one at least")
  func bounded() throws {
    let it = try TurnDriver(.memory, try StorePair(.memory))
    let works = try (0..<5).map { try it.post("post-\($0)") }
    let clock = Mutex<Int64>(0)
    // Each look at the clock is seven later.
    let cpu: @Sendable () -> Int64 = {
      clock.withLock { now in
        now += 7
        return now
      }
    }
    let before = try it.head
    let turn = it.turn(works, cpu: cpu, most: 20, commit: it.commit)
    #expect(turn.settlements.map(\.tookNanoseconds) == [7, 7, 7])
    #expect(try it.head == before + 3)
    #expect(
      it.turn(Array(works.dropFirst(3)), cpu: cpu, most: 0, commit: it.commit)
        .settlements.count == 1)
    #expect(it.turn(Array(works.dropFirst(4)), commit: it.commit).settlements.count == 1)
    #expect(try it.head == before + 5)
  }

  @Test("A turn ends behind dear work, and not when the server's own work is settled")
  func dear() throws {
    let it = try TurnDriver(.memory, try StorePair(.memory))
    let works = try (0..<4).map { try it.post("post-\($0)") }
    // The clock is read at the beginning, then after each work.
    let looks = Mutex<[Int64]>([0, 7_999_999, 15_999_999, 16_000_000, 17_000_000])
    let cpu: @Sendable () -> Int64 = { looks.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
    let most: Int64 = 20_000_000
    #expect(it.turn(works, cpu: cpu, most: most, commit: it.commit).settlements.count == 2)
    looks.withLock { $0 = [0, 8_000_000, 16_000_000] }
    #expect(
      it.turn(Array(works.dropFirst(2)), cpu: cpu, commit: it.commit).settlements.count == 2)
  }

  @Test("Who writes much pays for the time of the commit, and nobody for a disk that stalls")
  func commitCost() throws {
    let it = try TurnDriver(.memory, try StorePair(.memory))
    let long = try it.driver.work(
      .post(
        .add(
          it.category, PostID(it.driver.name()), title: "long",
          notes: String(repeating: "x", count: 12_000))),
      by: it.author, key: "long")
    let nothing = try it.driver.work(
      .completePost(it.category, PostID(it.driver.name()), ifVersion: nil), by: it.author,
      key: "nothing")
    func turn(
      _ milliseconds: Int64, commit: (LedgerTransaction) throws(StoreError) -> Void
    ) throws -> LedgerTurn {
      let clock = Mutex<Int64>(0)
      let machine: @Sendable () -> Int64 = {
        clock.withLock { now in
          now += milliseconds * 1_000_000
          return now
        }
      }
      let works = [try it.post("short"), long, nothing, long]
      return it.turn(works, machine: machine, commit: commit)
    }
    let failed = try turn(1_000) { (_) throws(StoreError) in throw .notCommitted(Self.fault) }
    #expect(failed.settlements.map(\.tookNanoseconds) == [0, 0, 0, 0])
    let stalled = try turn(1_000, commit: it.commit)
    #expect(stalled.commitNanoseconds == 1_000_000_000)
    // About 1.5 KB, and 25 KB: 25 ns a byte.
    let took = stalled.settlements.map(\.tookNanoseconds)
    #expect(took[0] > 10_000 && took[0] < 60_000)
    #expect(took[1] > 300_000 && took[1] < 1_000_000)
    #expect(took[2...] == [0, 0])
  }

  @Test("A piece of work says to how many streams it wrote")
  func streams() throws {
    let it = try TurnDriver(.memory, try StorePair(.memory))
    for number in 0..<3 { _ = try it.driver.category("list-\(number)", by: it.author) }
    let named = try it.driver.work(
      .account(.editProfile(ProfileEdit(name: "the author"))), by: it.author, key: "name")
    let turn = it.turn([try it.post("bread"), named, named], commit: it.commit)
    // The own stream, and each of the four lists.
    #expect(turn.settlements.map(\.streams) == [1, 5, 0])
    #expect(turn.settlements.map(\.requests) == [1, 1, 1])
  }

  @Test("a turn says whether something was removed", arguments: StoreKind.allCases)
  func bins(_ kind: StoreKind) throws {
    let it = try TurnDriver(kind, try StorePair(kind))
    let post = try it.driver.post("milk", in: it.category, by: it.author)
    let commands: [(Command, Bool)] = [
      (.editPost(it.category, post, PostEdit(title: "bread"), ifVersion: nil), false),
      (.removePost(it.category, post, ifVersion: nil), true),
      (.restorePost(it.category, post, ifVersion: nil), false),
    ]
    for (command, bins) in commands {
      let work = try it.driver.work(command, by: it.author, key: "\(command.method)")
      #expect(it.turn([work], commit: it.commit).bins == bins, "\(command.method)")
    }
  }

  @Test(
    "A command that took effect is answered again, also when its zone is known no more",
    arguments: StoreKind.allCases)
  func zones(_ kind: StoreKind) throws {
    let it = try TurnDriver(kind, try StorePair(kind))
    let edit = Command.category(.edit(it.category, CategoryEdit(zone: "US/Pacific")))
    let works = [try it.driver.work(edit, by: it.author, key: "zone")]
    let first = it.turn(works, commit: it.commit)
    let again = it.turn(works, zones: ["UTC"], commit: it.commit)
    #expect(again.settlements.map(\.result) == first.settlements.map(\.result))
    #expect(again.settlements.map(\.repeated) == [true])
    let late = [try it.driver.work(edit, by: it.author, key: "late")]
    #expect(!it.turn(late, zones: ["UTC"], commit: it.commit).settlements[0].succeeded)
  }

  @Test("Commands behind one that could not be written wait with it")
  func rests() throws {
    let it = try TurnDriver(.memory, try StorePair(.memory))
    func works(_ key: String) throws -> [LedgerWork] {
      let nothing = Command.completePost(it.category, PostID(it.driver.name()), ifVersion: nil)
      return [try it.post(key), try it.driver.work(nothing, by: it.editor, key: key)]
    }
    let faults: [StoreError] = [.notCommitted(Self.fault), .outcomeUnknown(Self.fault)]
    for (index, fault) in faults.enumerated() {
      var rests = UserCooldowns()
      let works = try works("\(index)")
      rests.note(
        works, it.turn(works) { _ throws(StoreError) in throw fault }.commit, at: 1_000)
      for user in [it.author, it.editor] {
        #expect(rests.wait(user, at: 1_000) == 2_000)
        #expect(rests.wait(user, at: 2_999) == 2_000, "it comes back after those before it")
        #expect(rests.wait(user, at: 3_000) == nil)
      }
      #expect(rests.wait(UserID(it.driver.name()), at: 1_000) == nil)
      // A command that is refused for another reason keeps nobody.
      let turn = it.turn(works, commit: it.commit)
      #expect(!turn.settlements[1].succeeded)
      rests.note(works, turn.commit, at: 3_000)
      #expect(rests.wait(it.author, at: 3_000) == nil && rests.wait(it.editor, at: 3_000) == nil)
    }
    var rests = UserCooldowns()
    let late = try works("late")
    let full = it.turn(late, hasRoom: false, commit: it.commit)
    #expect(!full.settlements[0].succeeded)
    rests.note(late, full.commit, at: 0)
    #expect(rests.wait(it.author, at: 0) == nil, "what has room goes on")
  }

  @Test(
    "a commit that failed is what everybody is told, and nobody else hears of anything",
    arguments: StoreKind.allCases)
  func failedCommit(_ kind: StoreKind) throws {
    let it = try TurnDriver(kind, try StorePair(kind))
    let elsewhere = CategoryID(it.driver.name())
    let works = [try it.post("a"), try it.post("refused", in: elsewhere), try it.post("b")]
    let before = try it.head
    let failed = it.turn(works) { _ throws(StoreError) in
      throw .notCommitted(LedgerTurnTests.fault)
    }
    let told = Settlement(
      result: .failure(.unavailable(afterMilliseconds: LedgerWaits().unavailableMilliseconds)),
      repeated: false)
    #expect(failed.settlements == [told, told, told])
    #expect(failed.publication.isEmpty)
    #expect(failed.commit == .failed)

    let again = it.turn(works, commit: it.commit)
    #expect(again.settlements.map(\.succeeded) == [true, false, true])
    #expect(again.commit == .committed(events: 2))
    #expect(try it.head == before + 2)
  }

  @Test(
    "after a commit of unknown outcome a repeat tells, and the next command follows what is stored",
    arguments: StoreKind.allCases, [true, false])
  func unknownOutcome(_ kind: StoreKind, wasWritten: Bool) throws {
    let it = try TurnDriver(kind, try StorePair(kind))
    _ = it.turn([try it.post("before")], commit: it.commit)
    let works = [try it.post("a"), try it.post("b")]
    let before = try it.head
    let unknown = it.turn(works) { transaction throws(StoreError) in
      if wasWritten { try it.commit(transaction) }
      throw .outcomeUnknown(LedgerTurnTests.fault)
    }
    let told = Settlement(result: .failure(.unknownOutcome), repeated: false)
    #expect(unknown.settlements == [told, told])
    #expect(unknown.publication.isEmpty)
    #expect(unknown.commit == .unknown)

    let again = it.turn(works + [try it.post("c")], commit: it.commit)
    #expect(again.settlements.map(\.succeeded) == [true, true, true])
    #expect(again.settlements.map(\.repeated) == [wasWritten, wasWritten, false])
    #expect(try it.head == before + 3)
  }

  @Test("events of one batch leave together, but nothing after a removal does")
  func pushes() throws {
    let it = try TurnDriver(.memory, try StorePair(.memory))
    let stream = StreamID.category(it.category)
    let before = try it.head
    let works =
      try (1...3).map { try it.post("a\($0)") }
      + [it.driver.work(.member(.remove(stream, it.editor)), by: it.author)]
      + (1...5).map { try it.post("b\($0)") }
    let turn = it.turn(works, commit: it.commit)
    let news = try #require(turn.publication.news { $0 }.first { $0.stream == stream })
    #expect(news.chunks.map(\.from) == [before + 1, before + 5])
    #expect(news.chunks.map(\.through) == [before + 4, before + 9])
    #expect(news.ended == [MembershipEdge(user: it.editor, seq: before + 4)])
    for chunk in news.chunks {
      let push = try eventsPush(chunk.frame)
      #expect(push.from == chunk.from)
      #expect(push.events.map(\.seq) == Array(chunk.from...chunk.through))
    }
  }
}

extension Settlement {
  fileprivate var succeeded: Bool {
    if case .success = result { true } else { false }
  }
}

/// Returns the content of a frame of events.
func eventsPush(_ frame: [UInt8]) throws -> EventsPush {
  guard case .events(let push) = try ServerMessage(decoding: frame) else {
    throw StoreError.unreadable(StoreFault(.other, "no events"))
  }
  return push
}
