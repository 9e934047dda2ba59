import Domain
import Testing
import Wire

@testable import Sync

@Suite("DESIGN §4: one transaction writes events, keys and objects") struct LedgerTransactionTests {
  @Test("one event per stream, all of one transaction, each object once")
  func batch() throws {
    var bench = LedgerBench.house()
    for number in 10..<20 {
      let add = bench.submission(of: .post(.add(1, PostID(number), title: "x", notes: "")), by: "a")
      #expect(try bench.settle(add).0.get().number == number - 7)
    }
    let staged = bench.ledger.staged
    #expect(staged.events.count == 10)
    #expect(staged.keys.count == 10)
    #expect(staged.objects.count == 11)
    let before = Int64(bench.content.events[.category(1)]?.count ?? 0)
    #expect(staged.events.map(\.seq) == Array((before + 1)...(before + 10)))
    #expect(bench.ledger.staged == staged)
  }

  @Test("a command on several streams answers the number in each, under one name")
  func positions() throws {
    var bench = LedgerBench.house()
    let add = bench.submission(of: .category(.add(9, name: "x", group: 1)), by: "a")
    let result = try bench.settle(add).0.get()
    let streams: [StreamID] = [.category(9), .group(1), .user("a")]
    #expect(result.events.map(\.stream) == streams)
    let events = bench.ledger.staged.events
    #expect(events.map { StreamPosition(stream: $0.stream, seq: $0.seq) } == result.events)
    #expect(Set(events.map(\.transaction)).count == 1)
    #expect(events.allSatisfy { $0.by == "a" })
  }

  @Test("the body holds what the row says, and `was` the objects before")
  func bodies() throws {
    var bench = LedgerBench.house()
    let submission = bench.submission(of: .completePost(1, 1, ifVersion: nil), by: "b", key: "done")
    _ = try bench.settle(submission).0.get()
    let record = try #require(bench.ledger.staged.events.first)
    let event = try EventCodec.decode(record.body, seq: record.seq)
    #expect(event.transaction == record.transaction)
    #expect(event.at == record.at)
    #expect(event.by == "b")
    #expect(event.key == CommandKey("done"))
    guard case .post(let before)? = try ObjectCodec.decode(before: record.was).objects.first else {
      Issue.record("no post before")
      return
    }
    #expect(before.completed == nil)
    #expect(before.version == 1)
  }

  @Test("a post that is changed several times is folded once, as it is in the end")
  func words() throws {
    var bench = LedgerBench.house()
    let titles = ["one", "two", "three"]
    let edits = titles.map { Command.editPost(1, 1, PostEdit(title: $0), ifVersion: nil) }
    _ = try bench.settle(bench.submission(of: .batch(edits), by: "a")).0.get()
    #expect(bench.ledger.staged.words.map(\.folded) == [Array("\0three".utf8)])
  }

  @Test("a new stream's epoch has the store's first, and differs from transaction to transaction")
  func epochs() throws {
    var bench = LedgerBench()
    bench.must(.account(.register(Registration("a"))), by: "a")
    bench.must(.account(.register(Registration("b"))), by: "b")
    let a = try #require(bench.content.events[.user("a")]?.first?.epoch)
    let b = try #require(bench.content.events[.user("b")]?.first?.epoch)
    #expect(a.text.hasPrefix("s.") && b.text.hasPrefix("s.") && a != b)
    bench.must(.account(.editProfile(ProfileEdit(name: "x"))), by: "a")
    #expect(bench.content.events[.user("a")]?.last?.epoch == a)
  }

  @Test("access follows membership")
  func access() throws {
    var bench = LedgerBench.house()
    #expect(bench.content.access[.user("a")]?["a"]?.role == .owner)
    #expect(bench.content.access[.category(1)]?["b"]?.role == .editor)
    let joined = bench.content.events[.category(1)]?.last { $0.by == "b" }?.seq
    #expect(bench.content.access[.category(1)]?["b"]?.joinedSeq == joined)
    bench.must(.member(.leave(.category(1))), by: "b")
    #expect(bench.content.access[.category(1)]?["b"] == nil)
    bench.must(.account(.editProfile(ProfileEdit(name: "Bea"))), by: "b")
    #expect(bench.content.access[.category(1)]?["b"] == nil)
  }

  @Test("a removed post stays as a row out of the state, without a rank")
  func bin() {
    var bench = LedgerBench.house()
    bench.must(.removePost(1, 2, ifVersion: nil), by: "a")
    let key = ObjectKey(kind: .post, id: PostID(2).uuid)
    let row = bench.content.rows[.category(1)]?[key]
    #expect(row?.inState == false)
    #expect(row?.rank == nil)
    #expect(row?.number == 2)
  }

  @Test("an event that is too large is refused, and nothing of its command happens")
  func tooLarge() throws {
    var bench = LedgerBench()
    bench.must(.account(.register(Registration("a"))), by: "a")
    bench.must(.group(.add(1, name: "Crowd")), by: "a")
    let wide = String(repeating: "𝓌", count: Limits.nameScalarsMax)
    for number in 0..<(Limits.membersPerGroupMax - 1) {
      let letter = try #require(Unicode.Scalar(UInt32(0x1000 + number)))
      let person = Registration(
        id: UserID(letter), username: "u-\(number)", name: wide, zone: "UTC",
        password: PasswordHash(phc: "$"), code: nil)
      bench.must(.account(.register(person)), by: person.id)
      let invite = InvitationID(1000 + number)
      bench.must(
        .invitation(.send(invite, .group(1), username: person.username, .editor)), by: "a")
      bench.must(.invitation(.accept(invite)), by: person.id)
    }
    let before = bench.content
    let add = bench.submission(of: .category(.add(1, name: "x", group: 1)), by: "a")
    #expect(
      bench.settle(add).0 == .failure(.tooLarge(field: "event", max: Limits.eventBytesMax)))
    #expect(bench.ledger.staged.isEmpty)
    bench.commit()
    #expect(bench.content == before)
  }

  @Test("The state before an event holds what it changed, so that it can be read again")
  func tooMuchBefore() throws {
    var bench = LedgerBench.house()
    let notes = String(repeating: "😀", count: Limits.notesScalarsMax)
    let line = String(repeating: "😀", count: Limits.stepScalarsMax)
    let steps = (0..<32).map { Domain.Step(id: StepID($0), content: line) }
    let posts = 100..<170
    for number in posts {
      bench.hold(
        Post(
          id: PostID(number), number: number, title: "x", notes: notes, steps: steps,
          addedBy: "a", createdAt: bench.now, updatedAt: bench.now, version: 1), in: 1)
    }
    let commands = posts.map { Command.completePost(1, PostID($0), ifVersion: nil) }
    bench.must(.batch(commands), by: "a")
    let record = try #require(bench.content.events[.category(1)]?.last)
    // Every step once: finished with the post, or not, is part of what it changed.
    #expect(record.was.count < 70 * (32 * 500 * 4 + 32 * 100 + 1_000))
    #expect(try ObjectCodec.decode(before: record.was).objects.count == 140)
  }

  @Test("Staged changes count for the next in the batch, and for nobody after a rollback")
  func visibility() throws {
    var bench = LedgerBench.house()
    let add = bench.submission(of: .category(.add(9, name: "x", group: nil)), by: "b")
    let use = bench.submission(of: .post(.add(9, 1, title: "x", notes: "")), by: "b")
    _ = try bench.settle(add).0.get()
    _ = try bench.settle(use).0.get()
    bench.ledger.rolledBack(forget: false)
    #expect(bench.settle(use).0 == .failure(.notFound("category")))
  }

  @Test("a clock that goes back does not take `at` back")
  func clock() {
    var bench = LedgerBench.house()
    bench.now = Timestamp(milliseconds: 3)
    bench.must(.category(.edit(1, name: "Later")), by: "a")
    let times = bench.events(of: .category(1)).map(\.at)
    #expect(times == times.sorted())
  }
}
