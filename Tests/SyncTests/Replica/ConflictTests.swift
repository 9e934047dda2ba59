import Domain
import Testing
import Wire

@testable import Sync

@Suite("local state: notes are never overwritten unseen")
struct ConflictTests {
  private let id = PostID(UUID(high: 9, low: 1))

  /// Returns a post with notes, and a person who edits them without a connection.
  private func offline() throws -> (Person, CategoryID) {
    var person = Person()
    let list = person.server.addList(1)
    person.connect()
    try person.exchange()
    person.ask(.post(.add(list, id, title: "milk", notes: "before")))
    try person.exchange()
    person.cut()
    return (person, list)
  }

  private func others(_ person: inout Person, _ list: CategoryID, _ edit: PostEdit) {
    guard case .post(let post) = person.server.logs[.category(list)]?.state.object(.post, id.uuid)
    else {
      Issue.record("the server has no such post")
      return
    }
    person.server.write(.category(list), [.post(.edited(id, version: post.version + 1, edit))])
  }

  private func write(_ person: inout Person, _ list: CategoryID, _ notes: String) {
    person.ask(.editPost(list, id, PostEdit(notes: notes), ifVersion: nil))
  }

  @Test("both texts are kept until the person chooses", arguments: Conflict.Choice.allCases)
  func conflict(choice: Conflict.Choice) throws {
    var (person, list) = try offline()
    write(&person, list, "mine")
    #expect(person.notes(list, id) == "mine")
    others(&person, list, PostEdit(notes: "theirs"))
    person.comeBack()
    try person.exchange()
    person.crash()
    try person.exchange()
    let conflict = try #require(person.local.conflicts.first)
    #expect(conflict.mine.notes == "mine")
    #expect(conflict.theirs.notes == "theirs")
    #expect(person.notes(list, id) == "theirs")
    if let edit = conflict.edit(choice) { person.ask(edit) }
    person.keep(.discarded(conflict.number))
    try person.exchange()
    let chosen = ["mine": "mine", "theirs": "theirs", "both": "theirs\n\nmine"]
    #expect(person.notes(list, id) == chosen[choice.rawValue])
    #expect(person.local.outbox.isEmpty)
    #expect(person.isLevel)
  }

  @Test("after a restore the other text is the one of now, also at the same version")
  func restored() throws {
    var (person, list) = try offline()
    write(&person, list, "mine")
    var before = try #require(person.server.logs[.category(list)])
    others(&person, list, PostEdit(notes: "theirs"))
    person.comeBack()
    try person.exchange()
    let told = try #require(person.local.conflicts.first?.theirs)
    person.cut()
    before.epoch = Epoch("s.2")
    person.server.logs[.category(list)] = before
    others(&person, list, PostEdit(notes: "of now"))
    person.comeBack()
    try person.exchange()
    let conflict = try #require(person.local.conflicts.first)
    #expect(conflict.theirs.notes == "of now" && conflict.theirs.version == told.version)
    // Where the list's copy has no such post, nothing is known for a choice.
    before.epoch = Epoch("s.3")
    before.state = StreamState(stream: .category(list))
    person.cut()
    person.server.logs[.category(list)] = before
    person.comeBack()
    try person.exchange()
    #expect(person.local.conflicts.isEmpty && person.local.outbox.unsent.count == 1)
  }

  @Test("another title is no conflict of notes; neither are the same notes")
  func noConflict() throws {
    for (theirs, expected) in [(PostEdit(title: "oat milk"), 1), (PostEdit(notes: "mine"), 0)] {
      var (person, list) = try offline()
      write(&person, list, "mine")
      others(&person, list, theirs)
      let before = try #require(person.server.logs[.category(list)]).head
      person.comeBack()
      try person.exchange()
      #expect(person.local.outbox.isEmpty)
      #expect(person.notes(list, id) == "mine")
      #expect(person.server.logs[.category(list)]?.head == before + Int64(expected))
    }
  }

  @Test("a chain of one's own changes goes through as it was made")
  func chain() throws {
    var (person, list) = try offline()
    person.ask(.editPost(list, id, PostEdit(title: "oat milk"), ifVersion: nil))
    for notes in ["one", "two", "three"] { write(&person, list, notes) }
    person.ask(.completePost(list, id, ifVersion: nil))
    #expect(person.screen(list) == ["✔oat milk…"])
    person.comeBack()
    try person.exchange()
    #expect(person.screen(list) == ["✔oat milk"])
    #expect(person.notes(list, id) == "three")
    #expect(person.local.outbox.isEmpty)
    #expect(person.isLevel)
  }

  @Test("a chain does not slip over somebody else's notes by a version that happens to fit")
  func coincidence() throws {
    var (person, list) = try offline()
    write(&person, list, "one")
    write(&person, list, "two")
    // The version that the second change would have had.
    others(&person, list, PostEdit(notes: "theirs"))
    person.comeBack()
    try person.exchange()
    #expect(person.notes(list, id) == "theirs")
    #expect(person.local.conflicts.map(\.mine.notes) == ["one", "two"])
  }

  @Test(
    "a change at any version does not carry notes over somebody else's", arguments: 0..<4,
    [false, true])
  func carried(_ which: Int, crashing: Bool) throws {
    var (person, list) = try offline()
    let changes: [Command] = [
      .completePost(list, id, ifVersion: nil), .reopenPost(list, id, ifVersion: nil),
      .restorePost(list, id, ifVersion: nil),
      .editPost(list, id, PostEdit(title: "oat milk"), ifVersion: nil),
    ]
    person.ask(changes[which])
    write(&person, list, "mine")
    others(&person, list, PostEdit(notes: "theirs"))
    person.comeBack()
    if crashing {
      try person.serve()
      person.receive()
      person.crash()
    }
    try person.exchange()
    #expect(person.notes(list, id) == "theirs")
    #expect(person.local.conflicts.map(\.theirs.notes) == ["theirs"])
    #expect(person.isLevel)
  }

  @Test("a chain over somebody else's title is put right by itself")
  func chainOverTitle() throws {
    var (person, list) = try offline()
    for notes in ["one", "two", "three"] { write(&person, list, notes) }
    others(&person, list, PostEdit(title: "oat milk"))
    person.comeBack()
    try person.exchange()
    #expect(person.local.conflicts.isEmpty)
    #expect(person.notes(list, id) == "three")
    #expect(person.screen(list) == ["oat milk"])
    #expect(person.local.outbox.isEmpty)
  }

  @Test("back to what was there before is the last wish, too")
  func back() throws {
    var (person, list) = try offline()
    for notes in ["one", "before"] { write(&person, list, notes) }
    others(&person, list, PostEdit(title: "oat milk"))
    person.comeBack()
    try person.exchange()
    #expect(person.notes(list, id) == "before")
    #expect(person.local.outbox.isEmpty)
    #expect(person.isLevel)
  }

  @Test(
    "notes inside of a batch are not written over unseen", arguments: [false, true], [false, true])
  func inBatch(changed: Bool, behind: Bool) throws {
    var (person, list) = try offline()
    if behind { person.ask(.editPost(list, id, PostEdit(title: "oat milk"), ifVersion: nil)) }
    person.ask(
      .batch([
        .editPost(list, id, PostEdit(priority: .set(.high)), ifVersion: nil),
        .editPost(list, id, PostEdit(notes: "mine"), ifVersion: nil),
      ]))
    if changed { others(&person, list, PostEdit(notes: "theirs")) }
    person.comeBack()
    try person.exchange()
    #expect(person.notes(list, id) == (changed ? "theirs" : "mine"))
    #expect(person.local.outbox.waiting.isEmpty)
    let unsent = person.local.outbox.unsent
    #expect(unsent.map(\.reason.kind) == (changed ? [.conflict] : []), "the person is told")
    #expect(person.isLevel)
    guard let refused = unsent.first else { return }
    // Once more, over what is seen now, under the same key (`Client.retry`).
    let queued = refused.queued
    let again = person.local.queueing(
      again: refused, newKey: queued.key, at: queued.at, number: queued.number + 1)
    #expect(again.key == queued.key && again.base == queued.base)
    person.askAgain(again, insteadOf: queued.number)
    try person.exchange()
    #expect(person.notes(list, id) == "mine" && person.local.outbox.isEmpty)
  }

  @Test("notes that several as one change do not hide somebody else's")
  func behindBatch() throws {
    var (person, list) = try offline()
    let other = person.server.addList(2)
    person.comeBack()
    try person.exchange()
    person.cut()
    person.ask(
      .batch([
        .editPost(list, id, PostEdit(notes: "one"), ifVersion: nil),
        .post(.add(other, PostID(UUID(high: 9, low: 2)), title: "bread", notes: "")),
      ]))
    #expect(person.notes(list, id) == "one")
    others(&person, list, PostEdit(notes: "theirs"))
    person.comeBack(now: 2_000_000)
    try person.serve()
    while !person.toClient.isEmpty { person.receive() }
    // It waits, and is for another version than the one that the copy has: it shows no more.
    #expect(person.local.outbox.waiting.count == 1)
    #expect(person.notes(list, id) == "theirs")
    write(&person, list, "two")
    try person.exchange()
    #expect(person.notes(list, id) == "two")
    #expect(person.local.outbox.unsent.count == 1)
    #expect(person.isLevel)
  }

  @Test("a change of notes behind several as one change goes through", arguments: [false, true])
  func chainBehindBatch(adding: Bool) throws {
    var (person, list) = try offline()
    let new = PostID(UUID(high: 9, low: 2))
    let first: Command =
      adding
      ? .post(.add(list, new, title: "bread", notes: "one"))
      : .editPost(list, id, PostEdit(notes: "one"), ifVersion: nil)
    person.ask(.batch([first]))
    person.ask(.editPost(list, adding ? new : id, PostEdit(notes: "two"), ifVersion: nil))
    person.comeBack()
    try person.exchange()
    #expect(person.notes(list, adding ? new : id) == "two")
    #expect(person.local.outbox.isEmpty)
    #expect(person.isLevel)
  }

  @Test(
    "notes that go to another list, or are copied, are not overwritten unseen there",
    arguments: [false, true])
  func elsewhere(copied: Bool) throws {
    var (person, list) = try offline()
    let other = person.server.addList(2)
    person.comeBack()
    try person.exchange()
    person.cut()
    let there = copied ? PostID(UUID(high: 9, low: 2)) : id
    person.ask(
      .post(
        .change(
          PostAddress(category: list, post: id),
          copied ? .copy(as: there, to: other) : .moveTo(other), ifVersion: nil)))
    #expect(person.notes(other, there) == "before")
    person.ask(.editPost(other, there, PostEdit(notes: "mine"), ifVersion: nil))
    others(&person, list, PostEdit(notes: "theirs"))
    person.comeBack(now: 2_000_000)
    try person.exchange()
    #expect(person.notes(other, there) == "theirs")
    #expect(person.local.conflicts.map(\.mine.notes) == ["mine"])
    #expect(person.isLevel)
  }

  @Test(
    "a change behind one that is settled, which the local state did not know, is made at no version"
  )
  func lateFollower() throws {
    let key = try #require(CommandKey("k2"))
    let list = CategoryID(UUID(high: 2, low: 1))
    let edit = PostEdit(notes: "mine")
    var queue = RequestQueue()
    queue.add(
      QueuedCommand(
        number: 2, command: .editPost(list, id, edit, ifVersion: nil), key: key,
        at: Timestamp(milliseconds: 0), follows: 1))
    let sent = queue.take(beforeHello: false).map(\.0)
    let never = Command.editPost(list, id, edit, ifVersion: Command.noVersion)
    #expect(sent == [.command(never, key: key, base: nil)])
  }

  @Test(
    "sent again while its list has no copy, a change is made over the notes that were seen, or not at all"
  )
  func againWithoutCopy() throws {
    let key = try #require(CommandKey("k2"))
    let edit = Command.editPost(
      CategoryID(UUID(high: 2, low: 1)), id, PostEdit(notes: "mine"), ifVersion: nil)
    func local(_ seen: String?) -> LocalState {
      let queued = QueuedCommand(
        number: 2, command: edit, key: key, at: Timestamp(milliseconds: 0), seenNotes: seen,
        follows: 1)
      // Without the one in front of it, it is refused.
      return LocalState(outbox: Outbox([.queued(queued)]), almanac: .system)
    }
    for (seen, version) in [("before", Command.noVersion), (nil, nil)] as [(String?, Int?)] {
      var local = local(seen)
      let again = local.queueing(
        again: try #require(local.outbox.unsent.first), newKey: key, at: Timestamp(milliseconds: 1),
        number: 3)
      #expect(again.seenNotes == seen)
      #expect(again.command == edit.atVersion(version))
    }
  }

  @Test("where its key may be forgotten a change is another one, over the notes that are seen now")
  func againAnew() throws {
    var (person, list) = try offline()
    let old = try #require(person.local.cursors[.category(list)])
    let edit = Command.editPost(list, id, PostEdit(notes: "mine"), ifVersion: 1)
    let (first, second) = (try #require(CommandKey("k8")), try #require(CommandKey("k9")))
    others(&person, list, PostEdit(notes: "theirs"))
    person.comeBack()
    try person.exchange()
    let queued = QueuedCommand(
      number: 8, command: edit, key: first, at: Timestamp(milliseconds: 0), base: old,
      seenNotes: "before")
    for (kind, key, base) in [
      (ErrorKind.staleBase, second, person.local.cursors[.category(list)]),
      (.forbidden, first, old),
    ] {
      let reason = ServerError(kind: kind, code: kind.code, retry: .no, sentence: "")
      let again = person.local.queueing(
        again: UnsentCommand(queued: queued, reason: reason), newKey: second, at: queued.at,
        number: 9)
      #expect(again.key == key && again.base == base)
      #expect(again.command == edit.atVersion(key == second ? 2 : 1))
      #expect(again.seenNotes == "theirs")
    }
  }

  @Test("a text that was erased in another list leaves what waits in the one where it was known")
  func erasedElsewhere() throws {
    let key = try #require(CommandKey("k2"))
    let (here, there) = (CategoryID(UUID(high: 2, low: 1)), CategoryID(UUID(high: 2, low: 2)))
    let edit = Command.editPost(here, id, PostEdit(notes: "mine"), ifVersion: nil)
    func queued(_ number: Int64, follows: Int64?) -> OutboxRecord {
      .queued(
        QueuedCommand(
          number: number, command: edit, key: key, at: Timestamp(milliseconds: 0),
          seenNotes: "theirs", follows: follows))
    }
    var outbox = Outbox([queued(2, follows: 1), queued(3, follows: nil)])
    #expect(outbox.unsent.count == 1 && outbox.waiting.count == 1)
    outbox.eraseText(of: PostAddress(category: there, post: PostID(UUID(high: 9, low: 5))))
    #expect(outbox.waiting[0].seenNotes == "theirs")
    outbox.eraseText(of: PostAddress(category: there, post: id))
    #expect(outbox.waiting[0].seenNotes == nil && outbox.unsent[0].queued.seenNotes == nil)
  }

  @Test("without the command that it follows, a change is a conflict and not sent")
  func orphan() throws {
    var (person, list) = try offline()
    person.ask(.editPost(list, id, PostEdit(title: "oat milk"), ifVersion: nil))
    write(&person, list, "mine")
    let records = CheckedLines.decode(person.disk).lines.compactMap(OutboxCodec.decode)
    let outbox = Outbox(
      records.filter { if case .queued(let it) = $0 { it.follows != nil } else { false } })
    #expect(outbox.waiting.isEmpty)
    #expect(outbox.unsent.map(\.reason.kind) == [.conflict])
  }
}
