import Domain
import Testing

@testable import Sync

/// A command, something after it that would refuse it now, and its home.
private struct Repeated: CustomTestStringConvertible {
  let command: Command
  var by: UserID = "a"
  var before: [(Command, UserID)] = []
  var after: [(Command, UserID)] = []
  var testDescription: String { command.method.name }

  static let removeB: (Command, UserID) = (.member(.remove(.category(1), "b")), "a")

  static let twoSteps: [(Command, UserID)] = [
    (.changeStep(1, 1, 1, .add(content: "one")), "a"),
    (.changeStep(1, 1, 2, .add(content: "two")), "a"),
  ]

  static let filter = FilterID(UUID(high: 0xF, low: 1))

  static let settings = SettingsEdit(from: PersonalSettings(user: "b"), to: .said(by: "b"))

  static let tag: (Command, UserID) = (.changeTag(1, 1, .add(name: "tag")), "a")

  static let daily: (Command, UserID) = (
    .post(.add(PostAddress(category: 1, post: 9), .daily)), "a"
  )

  static let all: [Repeated] = [
    Repeated(command: .account(.register(Registration("d"))), by: "d"),
    Repeated(
      command: .account(.recover("b", PasswordHash(phc: "$new"), generation: 1)), by: "b",
      after: [(.account(.recover("b", PasswordHash(phc: "$newer"), generation: 2)), "b")]),
    Repeated(
      command: .account(.changePassword(PasswordHash(phc: "$new"))), by: "b",
      after: [(.account(.changePassword(PasswordHash(phc: "$newer"))), "b")]),
    Repeated(command: .account(.delete(days: 14)), by: "c", after: [(.account(.keep), "c")]),
    Repeated(
      command: .account(.keep), by: "c", before: [(.account(.delete(days: 14)), "c")],
      after: [(.account(.delete(days: 14)), "c")]),
    Repeated(
      command: .account(.editProfile(ProfileEdit(name: "Bea"))), by: "b",
      after: [(.account(.editProfile(ProfileEdit(name: "Editor"))), "b")]),
    Repeated(command: .category(.add(9, name: "x", group: nil)), by: "b"),
    Repeated(
      command: .category(.edit(1, name: "x")), by: "b", after: [(.category(.remove(1)), "a")]),
    Repeated(command: .category(.remove(1)), after: [(.category(.restore(1)), "a")]),
    Repeated(
      command: .category(.restore(1)), before: [(.category(.remove(1)), "a")],
      after: [(.category(.remove(1)), "a")]),
    Repeated(command: .category(.archive(1)), after: [(.category(.unarchive(1)), "a")]),
    Repeated(
      command: .category(.unarchive(1)), before: [(.category(.archive(1)), "a")],
      after: [(.category(.archive(1)), "a")]),
    Repeated(command: .post(.add(1, 9, title: "x", notes: "")), by: "b", after: [removeB]),
    Repeated(
      command: .editPost(1, 1, PostEdit(title: "x"), ifVersion: 1), by: "b", after: [removeB]),
    Repeated(
      command: .completePost(1, 1, ifVersion: 1), by: "b",
      after: [(.reopenPost(1, 1, ifVersion: nil), "a"), removeB]),
    Repeated(command: .reopenPost(1, 2, ifVersion: 2), by: "b", after: [removeB]),
    Repeated(command: .removePost(1, 1, ifVersion: 1), by: "b", after: [removeB]),
    Repeated(
      command: .restorePost(1, 1, ifVersion: 2), by: "b",
      before: [(.removePost(1, 1, ifVersion: nil), "a")], after: [removeB]),
    Repeated(command: .erasePost(1, 1), after: [removeB]),
    Repeated(command: .movePost(1, 1, after: 2, before: nil), by: "b", after: [removeB]),
    Repeated(
      command: .movePost(1, 1, to: 9), by: "a",
      before: [(.category(.add(9, name: "Nine", group: nil)), "a")]),
    Repeated(command: .post(.change(1, 1, .copy(as: 9, to: 1))), by: "b", after: [removeB]),
    Repeated(command: .changeStep(1, 1, 9, .add(content: "x")), by: "b", after: [removeB]),
    Repeated(
      command: .changeStep(1, 1, 1, .edit(content: "x"), ifVersion: 3), by: "b", before: twoSteps,
      after: [removeB]),
    Repeated(command: .changeStep(1, 1, 1, .remove), by: "b", before: twoSteps, after: [removeB]),
    Repeated(
      command: .changeStep(1, 1, 1, .move(before: nil)), by: "b", before: twoSteps,
      after: [(.changeStep(1, 1, 1, .move(before: 2)), "a"), removeB]),
    Repeated(
      command: .changeStep(1, 1, 1, .complete), by: "b", before: twoSteps,
      after: [(.changeStep(1, 1, 1, .reopen), "a"), removeB]),
    Repeated(
      command: .changeStep(1, 1, 1, .reopen), by: "b",
      before: twoSteps + [(.completePost(1, 1, ifVersion: nil), "a")], after: [removeB]),
    Repeated(command: .changeTag(1, 9, .add(name: "x")), by: "b", after: [removeB]),
    Repeated(
      command: .changeTag(1, 1, .edit(TagEdit(name: "x"))), by: "b", before: [tag],
      after: [removeB]),
    Repeated(command: .changeTag(1, 1, .remove), by: "b", before: [tag], after: [removeB]),
    Repeated(command: .post(.change(1, 1, .tag(1))), by: "b", before: [tag], after: [removeB]),
    Repeated(
      command: .post(.change(1, 1, .untag(1))), by: "b",
      before: [tag, (.post(.change(1, 1, .tag(1))), "a")], after: [removeB]),
    Repeated(command: .post(.change(1, 1, .assign("a"))), by: "b", after: [removeB]),
    Repeated(
      command: .post(.change(1, 1, .unassign("b"))), by: "b",
      before: [(.post(.change(1, 1, .assign("b"))), "a")], after: [removeB]),
    Repeated(
      command: .changeOccurrence(1, 9, 1, .skip), by: "b", before: [daily],
      after: [(.changeOccurrence(1, 9, 2, .complete), "a"), removeB]),
    Repeated(
      command: .changeOccurrence(1, 9, 1, .complete), by: "b", before: [daily],
      after: [(.changeOccurrence(1, 9, 2, .complete), "a"), removeB]),
    Repeated(
      command: .post(.change(1, 9, .takeBack(event: 9))), by: "b",
      before: [daily, (.changeOccurrence(1, 9, 1, .complete), "a")],
      after: [(.changeOccurrence(1, 9, 1, .complete), "a"), removeB]),
    Repeated(
      command: .post(.change(1, 1, .completeForAll)), by: "b",
      before: [(.editPost(1, 1, PostEdit(mode: .set(.each)), ifVersion: nil), "a")],
      after: [removeB]),
    Repeated(
      command: .post(.change(1, 1, .claim(milliseconds: 60_000))), by: "b",
      after: [(.post(.change(1, 1, .release)), "a"), removeB]),
    Repeated(
      command: .post(.change(1, 1, .release)), by: "b",
      before: [(.post(.change(1, 1, .claim(milliseconds: 60_000))), "b")], after: [removeB]),
    Repeated(
      command: .post(
        .importUpsert(
          PostAddress(category: 1, post: 9),
          ImportedPost(
            source: SourceKey(name: "f", id: "1"), url: nil, fields: PostEdit(title: "x")))),
      by: "b", after: [(.removePost(1, 9, ifVersion: nil), "a"), removeB]),
    Repeated(command: .post(.claimNext(1, milliseconds: 60_000)), by: "b", after: [removeB]),
    Repeated(command: .group(.add(9, name: "x")), by: "b"),
    Repeated(command: .group(.edit(1, name: "x")), after: [(.group(.remove(1)), "a")]),
    Repeated(command: .group(.remove(1)), after: [(.group(.restore(1)), "a")]),
    Repeated(
      command: .group(.restore(1)), before: [(.group(.remove(1)), "a")],
      after: [(.group(.remove(1)), "a")]),
    Repeated(
      command: .invitation(.send(50, .group(1), username: "user-b", .editor)),
      after: [(.invitation(.accept(50)), "b")]),
    Repeated(
      command: .invitation(.accept(40)), by: "c",
      after: [(.member(.remove(.category(1), "c")), "a")]),
    Repeated(command: .invitation(.decline(40)), by: "c"),
    Repeated(command: .invitation(.revoke(40, .category(1)))),
    Repeated(
      command: .invitation(.makeCode(50, .category(1), NewCode(role: .editor, uses: 2, days: 1)))),
    Repeated(command: .link(.make(LinkID(UUID(high: 7, low: 1)), 1, NewLink(days: 1)))),
    Repeated(
      command: .link(.revoke(LinkID(UUID(high: 7, low: 1)), 1)),
      before: [(.link(.make(LinkID(UUID(high: 7, low: 1)), 1, NewLink(days: 1))), "a")]),
    Repeated(
      command: .invitation(.redeem(CodeInHand(text: "", opens: .invitation(50, .category(1))))),
      by: "c",
      before: [
        (.invitation(.makeCode(50, .category(1), NewCode(role: .editor, uses: 1, days: 1))), "a")
      ],
      after: [(.member(.remove(.category(1), "c")), "a")]),
    Repeated(
      command: .person(.block(username: "user-a")), by: "b",
      after: [(.person(.unblock("a")), "b")]),
    Repeated(
      command: .person(.unblock("a")), by: "b",
      before: [(.person(.block(username: "user-a")), "b")],
      after: [(.person(.block(username: "user-a")), "b")]),
    Repeated(
      command: .filter(.save(Filter(id: filter, name: "x"))), by: "b",
      after: [(.filter(.remove(filter)), "b")]),
    Repeated(
      command: .filter(.remove(filter)), by: "b",
      before: [(.filter(.save(Filter(id: filter, name: "x"))), "b")],
      after: [(.filter(.save(Filter(id: filter, name: "y"))), "b")]),
    Repeated(
      command: .category(.move(1, before: nil)), by: "b",
      before: [(.category(.add(9, name: "x", group: nil)), "b")],
      after: [(.category(.move(9, before: nil)), "b"), removeB]),
    Repeated(
      command: .changePersonal(
        1, 1, .plan(Plan(at: nil, minutes: 50))),
      by: "b", after: [removeB]),
    Repeated(
      command: .changePersonal(1, 1, .remind(.before(minutes: 60))), by: "b", after: [removeB]),
    Repeated(
      command: .changePersonal(1, 1, .forget(.before(minutes: 60))), by: "b",
      before: [(.changePersonal(1, 1, .remind(.before(minutes: 60))), "b")], after: [removeB]),
    Repeated(
      command: .changePersonal(1, 1, .snooze(until: Timestamp(milliseconds: 9))), by: "b",
      after: [(.changePersonal(1, 1, .snooze(until: nil)), "b"), removeB]),
    Repeated(
      command: .changePersonal(1, 1, .day(MyDay(day: Day(number: 1_000)))), by: "b",
      after: [removeB]),
    Repeated(command: .changePersonal(1, 1, .note("x")), by: "b", after: [removeB]),
    Repeated(
      command: .changePersonal(1, 1, .watch(true)), by: "b",
      after: [(.changePersonal(1, 1, .watch(false)), "b"), removeB]),
    Repeated(
      command: .account(.editSettings(settings)), by: "b",
      after: [
        (.account(.editSettings(SettingsEdit(from: .said(by: "b"), to: .init(user: "b")))), "b")
      ]),
    Repeated(command: .member(.leave(.category(1))), by: "b"),
    Repeated(command: .member(.remove(.category(1), "b"))),
    Repeated(command: .member(.setRole(.category(1), "b", .doer))),
    Repeated(
      command: .markRead(.category(1), seq: 2), by: "b",
      after: [(.markRead(.category(1), seq: 3), "b"), removeB]),
    Repeated(
      command: .batch([
        .post(.add(1, 9, title: "x", notes: "")), .completePost(1, 9, ifVersion: 1),
        .completePost(1, 2, ifVersion: nil), .category(.add(9, name: "x", group: nil)),
      ]), by: "b", after: [removeB]),
    Repeated(
      command: .undo(UndoTarget(stream: .category(1), events: [8], seen: nil)), by: "b",
      before: [(.completePost(1, 1, ifVersion: nil), "b")], after: [removeB]),
  ]
}

@Suite("P2: a repeat gets the original result") struct LedgerRepeatTests {
  @Test("every command is repeated here")
  func complete() {
    let repeated = Set(Repeated.all.map(\.command.method)).union([.account(.closeSession)])
    let keyed: Set<Method> = [
      .signIn(.register), .signIn(.recover), .signIn(.changePassword), .signIn(.delete),
    ]
    // A guest's method is repeated below.
    #expect(repeated == keyed.union(Method.allCases.filter { $0.row.kind == .change }))
  }

  @Test("after a commit, even when access is lost", arguments: Repeated.all)
  private func afterCommit(row: Repeated) throws {
    var bench = LedgerBench.house()
    for (command, user) in row.before { bench.must(command, by: user) }
    let submission = bench.submission(of: row.command, by: row.by)
    let first = try bench.settle(submission).0.get()
    #expect(first.changed)
    bench.commit()
    for (command, user) in row.after { bench.must(command, by: user) }
    try expectRepeat(of: submission, first, on: &bench)
  }

  @Test("within the same batch", arguments: Repeated.all)
  private func withinBatch(row: Repeated) throws {
    var bench = LedgerBench.house()
    for (command, user) in row.before { bench.must(command, by: user) }
    let submission = bench.submission(of: row.command, by: row.by)
    let first = try bench.settle(submission).0.get()
    let staged = bench.ledger.staged
    let second = bench.settle(proven(submission, in: bench))
    #expect(second.0 == .success(first))
    #expect(second.repeated)
    #expect(bench.ledger.staged == staged)
  }

  @Test("a command that changed nothing too")
  func unchanged() throws {
    var bench = LedgerBench.house()
    let submission = bench.submission(of: .category(.edit(1, name: "Home")), by: "a")
    let first = try bench.settle(submission).0.get()
    #expect(!first.changed && first.events.isEmpty)
    #expect(bench.ledger.staged.keys.count == 1)
    bench.commit()
    bench.must(.category(.edit(1, name: "Other")), by: "b")
    try expectRepeat(of: submission, first, on: &bench)
  }

  @Test("a guest's name and password too")
  func upgraded() throws {
    var bench = LedgerBench()
    let record = SessionRecord(
      id: 7, user: "g", tokenHash: [7], deviceHash: [7], client: "t", openedAt: bench.now,
      usedAt: bench.now)
    let guest = NewGuest(id: "g", username: "guest-g", name: "Guest", zone: "UTC")
    #expect(try bench.settle(.openGuest(guest, record)).0.get().changed)
    bench.commit()
    let upgrade = Upgrade(username: "gast", name: "Gast", password: PasswordHash(phc: "$g"))
    let submission = bench.submission(of: .account(.upgrade(upgrade)), by: "g")
    let first = try bench.settle(submission).0.get()
    #expect(first.generation == 1 && first.events.map(\.stream) == [.user("g")])
    bench.commit()
    try expectRepeat(of: submission, first, on: &bench)
  }

  @Test("closing a session too")
  func session() throws {
    var bench = LedgerBench.house()
    try bench.open(1, of: "a")
    let submission = bench.submission(of: .account(.closeSession(1)), by: "a")
    let first = try bench.settle(submission).0.get()
    #expect(bench.ledger.staged.accounts == [.sessionsClosed([1])])
    bench.commit()
    try expectRepeat(of: submission, first, on: &bench)
  }

  @Test("after a rollback it is decided anew", arguments: [false, true])
  func rolledBack(forget: Bool) throws {
    var bench = LedgerBench.house()
    let before = bench.content
    let submission = bench.submission(of: .post(.add(1, 9, title: "x", notes: "")), by: "b")
    _ = bench.settle(submission)
    bench.ledger.rolledBack(forget: forget)
    #expect(bench.ledger.staged.isEmpty)
    let again = bench.settle(submission)
    #expect(!again.repeated)
    #expect(try again.0.get().number == 3)
    bench.ledger.rolledBack(forget: forget)
    #expect(bench.content == before)
  }

  @Test("a key belongs to the stream that its command is about")
  func homes() {
    let expected: [Method: StreamID] = [
      .signIn(.register): .user("d"), .signIn(.recover): .user("b"),
      .signIn(.changePassword): .user("b"),
      .signIn(.delete): .user("c"), .account(.keep): .user("c"),
      .account(.editProfile): .user("b"), .category(.add): .category(9), .group(.add): .group(9),
      .group(.edit): .group(1), .group(.remove): .group(1), .group(.restore): .group(1),
      .invitation(.send): .group(1), .invitation(.accept): .user("c"),
      .invitation(.decline): .user("c"),
      .single(.markRead): .user("b"), .invitation(.redeem): .user("c"),
      .person(.block): .user("b"), .person(.unblock): .user("b"),
      .filter(.save): .user("b"), .filter(.remove): .user("b"), .category(.move): .user("b"),
      .personal(.plan): .user("b"), .personal(.addReminder): .user("b"),
      .personal(.removeReminder): .user("b"),
      .personal(.snooze): .user("b"), .personal(.day): .user("b"), .personal(.note): .user("b"),
      .personal(.watch): .user("b"), .account(.editSettings): .user("b"),
    ]
    for row in Repeated.all {
      let home = row.command.home(of: row.by)
      #expect(home == expected[row.command.method] ?? .category(1), "\(row.testDescription)")
    }
  }

  @Test("a refusal leaves no key")
  func refusal() {
    var bench = LedgerBench.house()
    let submission = bench.submission(of: .completePost(1, 9, ifVersion: nil), by: "a")
    #expect(bench.settle(submission).0 == .failure(.notFound("post")))
    #expect(bench.ledger.staged.isEmpty)
    bench.must(.post(.add(1, 9, title: "x", notes: "")), by: "a")
    let again = bench.settle(submission)
    #expect(!again.repeated)
    #expect((try? again.0.get())?.changed == true)
  }

  @Test("the same key with another command is refused, before any authorization")
  func reused() {
    var bench = LedgerBench.house()
    let first = bench.submission(of: .completePost(1, 1, ifVersion: nil), by: "b", key: "same")
    _ = bench.settle(first)
    bench.commit()
    bench.must(.member(.remove(.category(1), "b")), by: "a")
    let other = bench.submission(of: .removePost(1, 1, ifVersion: nil), by: "b", key: "same")
    #expect(bench.settle(other).0 == .failure(.keyReused))
    let another = bench.submission(of: .removePost(1, 1, ifVersion: nil), by: "a", key: "same")
    #expect((try? bench.settle(another).0.get())?.changed == true)
  }

  private func expectRepeat(
    of submission: Submission, _ first: CommandResult, on bench: inout LedgerBench
  ) throws {
    let before = bench.content
    let second = bench.settle(proven(submission, in: bench))
    #expect(second.0 == .success(first))
    #expect(second.repeated)
    #expect(bench.ledger.staged.isEmpty)
    bench.commit()
    #expect(bench.content == before)
  }

  @Test("a key whose hash went with an erased text gets nobody a code")
  func codeByErasedKey() throws {
    var bench = LedgerBench.house()
    let add = bench.submission(of: .post(.add(1, 9, title: "x", notes: "")), by: "b", key: "mine")
    _ = try bench.settle(add).0.get()
    bench.commit()
    bench.must(.erasePost(1, 9), by: "b")
    let make = Command.invitation(
      .makeCode(50, .category(1), NewCode(role: .admin, uses: 1, days: 1)))
    bench.must(make, by: "a")
    let asked = bench.submission(of: make, by: "b", key: "mine")
    #expect(bench.settle(asked).0 == .failure(.keyReused))
    #expect(bench.settle(add).repeated)
  }

  /// Returns the submission with a proof. A registration is repeated with its password, which the server verifies by
  /// then; the old password of a change is old by then.
  private func proven(_ it: Submission, in bench: LedgerBench) -> Submission {
    let proof: Proof =
      switch it.command {
      case .account(.register(let registration)): .verified(registration.password)
      case .account(.changePassword): .failed
      default: it.proof
      }
    return Submission(
      actor: it.actor, command: it.command, key: it.key, hash: it.hash, proof: proof)
  }
}

extension LedgerBench {
  mutating func open(_ id: SessionID, of user: UserID) throws {
    let account = try #require(content.accounts[user])
    let record = SessionRecord(
      id: id, user: user, tokenHash: id.uuid.bytes, deviceHash: nil, client: "t", openedAt: now,
      usedAt: now)
    _ = try settle(.openSession(record, account: account)).0.get()
    commit()
  }
}

extension PersonalSettings {
  fileprivate static func said(by user: UserID) -> PersonalSettings {
    var settings = PersonalSettings(user: user)
    settings.dueSoonHours = 24
    settings.muted = []
    return settings
  }
}
