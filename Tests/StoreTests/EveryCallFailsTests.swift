// A store fails at call 1, 2, 3, … until a command passes, for every kind of command (P2, P3). Every answer is true,
// nothing is half done, and the same command with the same key settles it.

import Calendar
import Domain
import Sync
import Testing

@testable import Store

/// A command, its sender, and the commands before it.
private struct Sent: CustomTestStringConvertible, Sendable {
  typealias Sender = KeyPath<House, UserID> & Sendable
  let name: String
  let by: Sender
  var before: [(Sender, @Sendable (House) -> Command)] = []
  let command: @Sendable (House) -> Command
  var testDescription: String { name }

  func work(_ house: House) throws -> LedgerWork {
    try house.work(command(house), by: house[keyPath: by], key: "key")
  }
}

extension Command {
  /// Makes a post come again every day, from long ago on.
  fileprivate static func `repeat`(_ list: CategoryID, _ post: PostID) -> Command {
    do {
      let daily = Repetition(try RecurrenceRule("FREQ=DAILY"))
      let edit = PostEdit(due: .set(.day(Day(number: 1_003))), repeats: .set(daily))
      return .editPost(list, post, edit, ifVersion: nil)
    } catch {
      preconditionFailure("a rule")
    }
  }
}

extension Filter {
  fileprivate static func named(_ name: String, _ house: House) -> Filter {
    Filter(id: FilterID(house.new), name: name, PostWhere(by: .me), in: [house.list])
  }
}

/// People, a list with posts, a group with a list, pending invitations: the same bytes each time.
private final class House {
  let store: any EventStore
  let folder: TemporaryFolder?
  private(set) var owner = UserID(UUID(high: 0, low: 0))
  private(set) var editor = UserID(UUID(high: 0, low: 0))
  private(set) var guest = UserID(UUID(high: 0, low: 0))
  private(set) var list = CategoryID(UUID(high: 0, low: 0))
  private(set) var other = CategoryID(UUID(high: 0, low: 0))
  /// The number of the list's newest event when it was asked for first.
  private(set) lazy var ending: Int64 = (try? store.head(of: .category(list)))?.seq ?? 0
  private(set) var group = GroupID(UUID(high: 0, low: 0))
  private(set) var open = PostID(UUID(high: 0, low: 0))
  private(set) var done = PostID(UUID(high: 0, low: 0))
  private(set) var removed = PostID(UUID(high: 0, low: 0))
  let invitation = InvitationID(UUID(high: 1, low: 1))
  let tag = TagID(UUID(high: 1, low: 2))
  var newcomer: UserID { UserID(new) }
  var new: UUID { UUID(high: 2, low: 1) }
  private var transactions: UInt64 = 0

  init(_ kind: StoreKind) throws {
    switch kind {
    case .memory:
      store = MemoryStore(MemoryDatabase(identity: testIdentity))
      folder = nil
    case .sqlite:
      let folder = try TemporaryFolder()
      self.folder = folder
      store = try writer(folder.data, SQLiteOptions())
    }
    let driver = LedgerDriver(store)
    owner = try driver.person("owner")
    editor = try driver.person("editor")
    guest = try driver.person("guest")
    list = try driver.category("list", by: owner)
    open = try driver.post("open", in: list, by: owner)
    done = try driver.post("done", in: list, by: owner)
    removed = try driver.post("removed", in: list, by: owner)
    try driver.run(.completePost(list, done, ifVersion: nil), by: owner)
    try driver.run(.removePost(list, removed, ifVersion: nil), by: owner)
    try driver.run(.changeTag(list, tag, .add(name: "tag")), by: owner)
    try driver.run(.post(.change(list, done, .tag(tag))), by: owner)
    try driver.run(.post(.change(list, done, .assign(owner))), by: owner)
    other = try driver.category("other", by: owner)
    group = try driver.group("group", by: owner)
    try driver.bring(editor, "editor", to: .category(list), by: owner)
    try driver.run(
      .invitation(.send(invitation, .category(list), username: "guest", .editor)), by: owner)
  }

  /// Runs one turn of a ledger on a store. `ledger` is kept over the turns as the server's is.
  func turn(
    _ works: [LedgerWork], _ ledger: inout Ledger, _ store: any EventStore
  ) -> LedgerTurn {
    let tools = LedgerTools(
      newTransaction: { _ in
        self.transactions += 1
        return TransactionID(UUID(high: 3, low: self.transactions))
      }, isZone: { _ in true }, hasRoom: { _ in true },
      codes: CodeBook(
        text: { "\($1.uuid) \($0)" }, place: { UUID($0.prefix(36)) },
        isCode: { $0 == "\($2.uuid) \($1)" }))
    let now = Timestamp(milliseconds: 1_700_000_600_000)
    return ledger.turn(works, at: now, in: store, tools) { transaction throws(StoreError) in
      try store.commit(transaction)
    }
  }

  func work(_ command: Command, by user: UserID, key: String) throws -> LedgerWork {
    // The proof is the one that the authenticator finds before it asks the ledger.
    let isAsked =
      switch command {
      case .account(.changePassword), .account(.delete), .account(.register): true
      default: false
      }
    let password = isAsked ? try store.account(user)?.password : nil
    let proof = password.map { Proof.verified($0) } ?? .notAsked
    return .command(
      Submission(
        actor: Actor(user: user, session: nil), command: command,
        key: try #require(CommandKey(key)), hash: Array("\(command)".utf8), proof: proof))
  }

  /// Returns everything that can be told apart, but for the names of transactions.
  func content() throws -> [String] {
    var lines: [String] = []
    let streams =
      [owner, editor, guest, UserID(new)].map(StreamID.user)
      + [
        .category(list), .category(other), .category(CategoryID(new)), .group(group),
        .group(GroupID(new)),
      ]
    for stream in streams {
      guard let snapshot = try store.snapshot(of: stream) else { continue }
      lines.append("\(stream) \(snapshot.head.seq) \(snapshot.head.at.milliseconds)")
      // The id of a link's guest is drawn as those of transactions are.
      lines += snapshot.objects.map {
        String(decoding: $0, as: UTF8.self).replacing(/"guest":"[^"]*"/, with: "")
      }
    }
    for user in [owner, editor, guest, UserID(new)] {
      lines.append("\(try store.account(user).map { "\($0)" } ?? "none")")
      lines += try store.streams(of: user).map { "\($0.stream) \($0.role) \($0.joinedSeq)" }
      lines += try store.sessions(of: user).map { "\($0.id)" }
    }
    return lines
  }
}

@Suite("P2, P3: a store that fails at every call in turn")
struct EveryCallFailsTests {
  private static let sent: [Sent] = [
    Sent(name: "account.register", by: \.newcomer) {
      .account(
        .register(
          Registration(
            id: UserID($0.new), username: "new", name: "New", zone: "UTC",
            password: PasswordHash(phc: "$new"), code: "code")))
    },
    Sent(name: "account.recover", by: \.owner) {
      .account(.recover($0.owner, PasswordHash(phc: "$other"), generation: 1))
    },
    Sent(name: "account.change_password", by: \.owner) { _ in
      .account(.changePassword(PasswordHash(phc: "$other")))
    },
    Sent(name: "account.delete", by: \.guest) { _ in .account(.delete(days: 14)) },
    Sent(
      name: "account.keep", by: \.guest, before: [(\.guest, { _ in .account(.delete(days: 14)) })]
    ) { _ in .account(.keep) },
    Sent(name: "profile.edit", by: \.editor) { _ in .account(.editProfile(ProfileEdit(name: "E.")))
    },
    Sent(name: "category.add", by: \.owner) {
      .category(.add(CategoryID($0.new), name: "new", group: $0.group))
    },
    Sent(name: "category.edit", by: \.editor) { .category(.edit($0.list, name: "new")) },
    Sent(name: "category.remove", by: \.owner) { .category(.remove($0.list)) },
    Sent(
      name: "category.restore", by: \.owner, before: [(\.owner, { .category(.remove($0.list)) })]
    ) { .category(.restore($0.list)) },
    Sent(name: "category.archive", by: \.owner) { .category(.archive($0.list)) },
    Sent(
      name: "category.unarchive", by: \.owner, before: [(\.owner, { .category(.archive($0.list)) })]
    ) { .category(.unarchive($0.list)) },
    Sent(name: "post.add", by: \.editor) {
      .post(
        .add(
          PostAddress(category: $0.list, post: PostID($0.new)),
          NewPost(title: "new", notes: "n", fields: PostEdit(priority: .set(.high)))))
    },
    Sent(name: "post.edit", by: \.editor) {
      let due = Due.time(Day(number: 20_781), minute: 60, zone: "UTC")
      return .editPost($0.list, $0.open, PostEdit(title: "new", due: .set(due)), ifVersion: 1)
    },
    Sent(name: "post.complete", by: \.editor) { .completePost($0.list, $0.open, ifVersion: 1) },
    Sent(name: "post.reopen", by: \.editor) { .reopenPost($0.list, $0.done, ifVersion: nil) },
    Sent(name: "post.remove", by: \.editor) { .removePost($0.list, $0.done, ifVersion: nil) },
    Sent(name: "post.restore", by: \.editor) {
      .restorePost($0.list, $0.removed, ifVersion: nil)
    },
    Sent(name: "post.erase", by: \.owner) { .erasePost($0.list, $0.done) },
    Sent(name: "post.complete: so already", by: \.editor) {
      .completePost($0.list, $0.done, ifVersion: nil)
    },
    Sent(name: "post.move", by: \.editor) {
      .movePost($0.list, $0.open, after: $0.done, before: nil)
    },
    Sent(name: "post.move_to", by: \.owner) {
      .movePost($0.list, $0.open, to: $0.other)
    },
    Sent(name: "post.copy", by: \.editor) {
      .post(.change($0.list, $0.open, .copy(as: PostID($0.new), to: $0.list)))
    },
    Sent(name: "step.add", by: \.editor) {
      .changeStep($0.list, $0.done, StepID($0.new), .add(content: "new"))
    },
    Sent(name: "step.edit", by: \.editor, before: [step]) {
      .changeStep($0.list, $0.open, StepID($0.new), .edit(content: "newer"))
    },
    Sent(name: "step.remove", by: \.editor, before: [step]) {
      .changeStep($0.list, $0.open, StepID($0.new), .remove)
    },
    Sent(name: "step.move", by: \.editor, before: [step, otherStep]) {
      .changeStep($0.list, $0.open, StepID($0.new), .move(before: nil))
    },
    Sent(name: "step.complete", by: \.editor, before: [step]) {
      .changeStep($0.list, $0.open, StepID($0.new), .complete)
    },
    Sent(
      name: "step.reopen", by: \.editor,
      before: [step, (\.owner, { .completePost($0.list, $0.open, ifVersion: nil) })]
    ) { .changeStep($0.list, $0.open, StepID($0.new), .reopen) },
    Sent(name: "post.complete: with steps", by: \.editor, before: [step, otherStep]) {
      .completePost($0.list, $0.open, ifVersion: 3)
    },
    Sent(name: "tag.add", by: \.editor) {
      .changeTag($0.list, TagID($0.new), .add(name: "new", color: .red))
    },
    Sent(name: "tag.edit", by: \.editor) {
      .changeTag($0.list, $0.tag, .edit(TagEdit(name: "new")))
    },
    Sent(name: "tag.remove", by: \.editor) { .changeTag($0.list, $0.tag, .remove) },
    Sent(name: "post.tag", by: \.editor) { .post(.change($0.list, $0.open, .tag($0.tag))) },
    Sent(name: "post.untag", by: \.editor) { .post(.change($0.list, $0.done, .untag($0.tag))) },
    Sent(name: "post.assign", by: \.owner) { .post(.change($0.list, $0.open, .assign($0.editor))) },
    Sent(name: "post.unassign", by: \.editor) {
      .post(.change($0.list, $0.done, .unassign($0.owner)))
    },
    Sent(
      name: "post.skip", by: \.editor, before: [(\.owner, { .repeat($0.list, $0.open) })]
    ) { .changeOccurrence($0.list, $0.open, 2, .skip) },
    Sent(
      name: "post.complete: once more", by: \.editor,
      before: [(\.owner, { .repeat($0.list, $0.open) })]
    ) { .changeOccurrence($0.list, $0.open, 2, .complete) },
    Sent(
      name: "post.take_back", by: \.editor,
      before: [
        (\.owner, { .repeat($0.list, $0.open) }),
        (\.editor, { .changeOccurrence($0.list, $0.open, 2, .complete) }),
      ]
    ) { .post(.change($0.list, $0.open, .takeBack(event: $0.ending))) },
    Sent(name: "post.claim", by: \.editor) {
      .post(.change($0.list, $0.open, .claim(milliseconds: 60_000)))
    },
    Sent(
      name: "post.release", by: \.owner,
      before: [(\.editor, { .post(.change($0.list, $0.open, .claim(milliseconds: 60_000))) })]
    ) { .post(.change($0.list, $0.open, .release)) },
    Sent(name: "import.upsert", by: \.editor) {
      .post(
        .importUpsert(
          PostAddress(category: $0.list, post: PostID($0.new)),
          ImportedPost(
            source: SourceKey(name: "f", id: "1"), url: nil, fields: PostEdit(title: "new"))))
    },
    Sent(name: "post.claim_next", by: \.editor) {
      .post(.claimNext($0.list, milliseconds: 60_000))
    },
    Sent(name: "group.add", by: \.owner) { .group(.add(GroupID($0.new), name: "new")) },
    Sent(name: "group.edit", by: \.owner) { .group(.edit($0.group, name: "new")) },
    Sent(name: "group.remove", by: \.owner) { .group(.remove($0.group)) },
    Sent(
      name: "group.restore", by: \.owner, before: [(\.owner, { .group(.remove($0.group)) })]
    ) { .group(.restore($0.group)) },
    Sent(name: "invitation.send", by: \.owner) {
      .invitation(.send(InvitationID($0.new), .group($0.group), username: "guest", .owner))
    },
    Sent(name: "invitation.accept", by: \.guest) { .invitation(.accept($0.invitation)) },
    Sent(name: "invitation.decline", by: \.guest) { .invitation(.decline($0.invitation)) },
    Sent(name: "invitation.revoke", by: \.owner) {
      .invitation(.revoke($0.invitation, .category($0.list)))
    },
    Sent(name: "invitation.make_code", by: \.owner) {
      .invitation(
        .makeCode(
          InvitationID($0.new), .category($0.list), NewCode(role: .editor, uses: 2, days: 1)))
    },
    Sent(
      name: "invitation.redeem", by: \.guest,
      before: [
        (
          \.owner,
          {
            .invitation(
              .makeCode(
                InvitationID($0.new), .category($0.list), NewCode(role: .doer, uses: 1, days: 1)))
          }
        )
      ]
    ) { .invitation(.redeem(CodeInHand(text: "\($0.list) \($0.new)"))) },
    Sent(name: "link.make", by: \.owner) {
      .link(.make(LinkID($0.new), $0.list, NewLink(days: 1)))
    },
    Sent(
      name: "link.revoke", by: \.owner,
      before: [(\.owner, { .link(.make(LinkID($0.new), $0.list, NewLink(days: 1))) })]
    ) { .link(.revoke(LinkID($0.new), $0.list)) },
    Sent(name: "person.block", by: \.guest) { _ in .person(.block(username: "editor")) },
    Sent(
      name: "person.unblock", by: \.guest,
      before: [(\.guest, { _ in .person(.block(username: "editor")) })]
    ) { .person(.unblock($0.editor)) },
    Sent(name: "filter.save", by: \.guest) { .filter(.save(.named("new", $0))) },
    Sent(
      name: "filter.remove", by: \.guest, before: [(\.guest, { .filter(.save(.named("new", $0))) })]
    ) { .filter(.remove(FilterID($0.new))) },
    Sent(
      name: "category.move", by: \.editor,
      before: [(\.editor, { .category(.add(CategoryID($0.new), name: "new", group: nil)) })]
    ) { .category(.move(CategoryID($0.new), before: $0.list)) },
    Sent(name: "post.plan", by: \.editor) {
      .changePersonal(
        $0.list, $0.open, .plan(Plan(at: .time(Day(number: 1_003), minute: 60, zone: "UTC"))))
    },
    Sent(name: "reminder.add", by: \.editor) {
      .changePersonal($0.list, $0.open, .remind(.before(minutes: 60)))
    },
    Sent(
      name: "reminder.remove", by: \.editor,
      before: [(\.editor, { .changePersonal($0.list, $0.open, .remind(.before(minutes: 60))) })]
    ) { .changePersonal($0.list, $0.open, .forget(.before(minutes: 60))) },
    Sent(name: "post.snooze", by: \.editor) {
      .changePersonal($0.list, $0.open, .snooze(until: Timestamp(milliseconds: 9)))
    },
    Sent(name: "post.day", by: \.editor) {
      .changePersonal($0.list, $0.open, .day(MyDay(day: Day(number: 1_003), order: 1)))
    },
    Sent(name: "post.note", by: \.editor) { .changePersonal($0.list, $0.open, .note("note")) },
    Sent(name: "post.watch", by: \.editor) { .changePersonal($0.list, $0.open, .watch(true)) },
    Sent(name: "settings.edit", by: \.editor) { house in
      var settings = PersonalSettings(user: house.editor)
      settings.dueSoonHours = 24
      return .account(
        .editSettings(
          SettingsEdit(from: PersonalSettings(user: house.editor), to: settings)))
    },
    Sent(
      name: "member.leave: with what was personal", by: \.editor,
      before: [(\.editor, { .changePersonal($0.list, $0.open, .note("note")) })]
    ) { .member(.leave(.category($0.list))) },
    Sent(name: "member.leave", by: \.editor) { .member(.leave(.category($0.list))) },
    Sent(name: "member.remove", by: \.owner) { .member(.remove(.category($0.list), $0.editor)) },
    Sent(name: "member.set_role", by: \.owner) {
      .member(.setRole(.category($0.list), $0.editor, .admin))
    },
    Sent(name: "notification.read", by: \.editor) { .markRead(.category($0.list), seq: 3) },
    Sent(name: "batch", by: \.owner) {
      .batch([
        .post(.add($0.list, PostID($0.new), title: "new", notes: "")),
        .completePost($0.list, PostID($0.new), ifVersion: 1),
        .member(.remove(.category($0.list), $0.editor)),
        .category(.add(CategoryID($0.new), name: "new", group: $0.group)),
      ])
    },
  ]

  private static let step: (Sent.Sender, @Sendable (House) -> Command) = (
    \.owner, { .changeStep($0.list, $0.open, StepID($0.new), .add(content: "step")) }
  )

  private static let otherStep: (Sent.Sender, @Sendable (House) -> Command) = (
    \.owner, { .changeStep($0.list, $0.open, StepID($0.open.uuid), .add(content: "other")) }
  )

  /// Returns a house in which the command is about to come.
  private static func house(_ kind: StoreKind, _ sent: Sent) throws -> House {
    let house = try House(kind)
    var ledger = Ledger(storeEpoch: "e1", cacheBytesMax: 0, almanac: .system)
    for (index, (by, command)) in sent.before.enumerated() {
      let work = try house.work(command(house), by: house[keyPath: by], key: "before-\(index)")
      _ = try house.turn([work], &ledger, house.store).settlements[0].result.get()
    }
    return house
  }

  @Test(
    "the answer is true, and a repeat settles it", arguments: sent.indices, StoreKind.allCases)
  func everyCall(_ index: Int, _ kind: StoreKind) throws {
    let sent = EveryCallFailsTests.sent[index]
    let whole = try EveryCallFailsTests.house(kind, sent)
    var ledger = Ledger(storeEpoch: "e1", cacheBytesMax: 1 << 20, almanac: .system)
    let expected = whole.turn([try sent.work(whole)], &ledger, whole.store).settlements[0]
    let result = try expected.result.get()
    let after = try whole.content()
    for fault in FaultyStore.Fault.allCases {
      var call = 1
      while try fails(sent, kind, call, fault, result, after) {
        call += 1
        try #require(call < 50, "\(sent.name) calls the store without end")
      }
      // There are calls to look for the key and to commit, at least.
      #expect(call > 2, "\(sent.name)")
    }
  }

  /// Runs once with a fault. Returns false when the fault never came.
  private func fails(
    _ sent: Sent, _ kind: StoreKind, _ call: Int, _ fault: FaultyStore.Fault,
    _ result: CommandResult, _ after: [String]
  ) throws -> Bool {
    let house = try EveryCallFailsTests.house(kind, sent)
    let before = try house.content()
    let store = FaultyStore(house.store, failing: call, with: fault)
    var ledger = Ledger(storeEpoch: "e1", cacheBytesMax: 1 << 20, almanac: .system)
    let first = house.turn([try sent.work(house)], &ledger, store)
    guard store.hasFailed else {
      #expect(try first.settlements[0].result.get() == result)
      #expect(try house.content() == after)
      return false
    }
    let note: Comment = "\(sent.name), call \(call), \(fault)"
    #expect(first.publication.isEmpty, note)
    let isWritten: Bool
    switch first.settlements[0].result {
    case .failure(.unavailable): isWritten = false
    case .failure(.unknownOutcome): isWritten = fault == .unknownWritten
    case .failure(let failure):
      Issue.record("\(note): \(failure)")
      return false
    case .success:
      Issue.record("\(note): answered with a result")
      return false
    }
    #expect(try house.content() == (isWritten ? after : before), note)
    let again = house.turn([try sent.work(house)], &ledger, store).settlements[0]
    #expect(try again.result.get() == result, note)
    #expect(again.repeated == isWritten, note)
    #expect(try house.content() == after, note)
    // It runs once more, by a server that has just started.
    var fresh = Ledger(storeEpoch: "e1", cacheBytesMax: 1 << 20, almanac: .system)
    let late = house.turn([try sent.work(house)], &fresh, house.store).settlements[0]
    #expect(try late.result.get() == result && late.repeated, note)
    #expect(try house.content() == after, note)
    return true
  }

  @Test("a failed commit is told to everybody in it, to the refused too", arguments: [1, 2])
  func everybody(_ index: Int) throws {
    let fault = FaultyStore.Fault.allCases[index]
    let calls = try together(on: House(.memory), failing: .max, with: fault).calls
    let house = try House(.memory)
    let before = try house.content()
    let turn = try together(on: house, failing: calls, with: fault).turn
    #expect(turn.commit == .unknown)
    #expect(turn.publication.isEmpty)
    #expect(turn.settlements.map(\.result) == Array(repeating: .failure(.unknownOutcome), count: 3))
    #expect(try (house.content() == before) == (fault == .unknownNotWritten))
  }

  /// Runs a command, one that it makes the ledger refuse, and a third, in one turn.
  private func together(
    on house: House, failing call: Int, with fault: FaultyStore.Fault
  ) throws -> (turn: LedgerTurn, calls: Int) {
    let works = [
      try house.work(
        .completePost(house.list, house.open, ifVersion: nil), by: house.owner, key: "1"),
      try house.work(
        .completePost(house.list, house.open, ifVersion: 1), by: house.editor, key: "2"),
      try house.work(.category(.edit(house.list, name: "x")), by: house.editor, key: "3"),
    ]
    let store = FaultyStore(house.store, failing: call, with: fault)
    var ledger = Ledger(storeEpoch: "e1", cacheBytesMax: 1 << 20, almanac: .system)
    return (house.turn(works, &ledger, store), store.calls)
  }
}
