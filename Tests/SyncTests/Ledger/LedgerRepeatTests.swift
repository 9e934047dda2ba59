import Domain
import MethodSamples
import Testing

@testable import Sync

@Suite("P2: a repeat gets the original result") struct LedgerRepeatTests {
  @Test("after a commit, even when access is lost", arguments: MethodSample.all)
  func afterCommit(sample: MethodSample) throws {
    var bench = try LedgerBench(before: sample)
    let submission = bench.submission(of: sample.command, by: sample.by)
    let first = try bench.settle(submission).0.get()
    #expect(first.changed)
    bench.commit()
    for doing in sample.after { bench.must(doing.command, by: doing.by) }
    try expectRepeat(of: submission, first, on: &bench)
  }

  @Test("within the same batch", arguments: MethodSample.all)
  func withinBatch(sample: MethodSample) throws {
    var bench = try LedgerBench(before: sample)
    let submission = bench.submission(of: sample.command, by: sample.by)
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
    #expect(bench.ledger.staged.accounts == [.sessionsClosed([1], of: "a")])
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

  @Test("a key belongs to the stream that its command is about", arguments: MethodSample.all)
  func homes(sample: MethodSample) {
    #expect(sample.command.home(of: sample.by) == sample.home)
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
  /// Makes the household in which the sample comes.
  fileprivate init(before sample: MethodSample) throws {
    self.init()
    for person in Household.people { must(.account(.register(person)), by: person.id) }
    try open(Household.session, of: Household.sender)
    for doing in sample.past { must(doing.command, by: doing.by) }
  }

  mutating func open(_ id: SessionID, of user: UserID) throws {
    let account = try #require(content.accounts[user])
    let record = SessionRecord(
      id: id, user: user, tokenHash: id.uuid.bytes, deviceHash: nil, client: "t", openedAt: now,
      usedAt: now)
    _ = try settle(.openSession(record, account: account)).0.get()
    commit()
  }
}
