import Domain
import Testing

@testable import Sync

@Suite("The ledger and what was found about a password") struct LedgerAccountTests {
  private func register(
    _ registration: Registration, proof: Proof, hash: String? = nil
  ) -> Submission {
    guard let key = CommandKey(registration.id.description) else { fatalError("no key") }
    return Submission(
      actor: Actor(user: registration.id, session: nil), command: .account(.register(registration)),
      key: key, hash: Array((hash ?? registration.username).utf8), proof: proof)
  }

  @Test("a registration is repeated for whoever knows its password, and for nobody else")
  func registration() throws {
    var bench = LedgerBench()
    let mine = Registration("a")
    let first = try bench.settle(register(mine, proof: .notAsked)).0.get()
    #expect(first.generation == 1)
    bench.commit()
    let exists = Result<CommandResult, Refusal>.failure(.exists(field: "id"))
    #expect(bench.settle(register(mine, proof: .notAsked)).0 == exists)
    #expect(bench.settle(register(mine, proof: .failed)).0 == exists)
    let stale = Proof.verified(PasswordHash(phc: "$older"))
    #expect(bench.settle(register(mine, proof: stale)).0 == exists)
    let known = Proof.verified(mine.password)
    #expect(bench.settle(register(mine, proof: known, hash: "another")).0 == exists)
    #expect(bench.settle(register(mine, proof: known)).0 == .success(first))
  }

  @Test("The second of two registrations of one username in a batch is refused")
  func username() {
    var bench = LedgerBench()
    #expect(throws: Never.self) {
      try bench.settle(register(Registration("a"), proof: .notAsked)).0.get()
    }
    let second = Registration(
      id: "b", username: "user-a", name: "B", zone: "UTC", password: PasswordHash(phc: "$b"),
      code: nil)
    #expect(
      bench.settle(register(second, proof: .notAsked)).0 == .failure(.exists(field: "username")))
  }

  @Test("a password is changed only when the old one still counts")
  func changePassword() {
    var bench = LedgerBench.house()
    let command = Command.account(.changePassword(PasswordHash(phc: "$new")))
    let wrong = Result<CommandResult, Refusal>.failure(
      .invalid(field: "old", reason: "is not the password of this account"))
    for proof in [Proof.failed, .notAsked, .verified(PasswordHash(phc: "$older"))] {
      let submission = Submission(
        actor: Actor(user: "a", session: nil), command: command, key: CommandKey("p") ?? noKey(),
        hash: [1], proof: proof)
      #expect(bench.settle(submission).0 == wrong)
    }
    #expect(bench.ledger.staged.isEmpty)
  }

  private func noKey() -> CommandKey { fatalError("no key") }

  @Test("a sign-in that was verified before the password changed is refused, in the same batch too")
  func signIn() throws {
    var bench = LedgerBench.house()
    let account = try #require(bench.content.accounts["a"])
    let change = bench.submission(of: .account(.changePassword(PasswordHash(phc: "$new"))), by: "a")
    _ = try bench.settle(change).0.get()
    let record = SessionRecord(
      id: 1, user: "a", tokenHash: [1], deviceHash: nil, client: "t", openedAt: bench.now,
      usedAt: bench.now)
    #expect(
      bench.settle(.openSession(record, account: account)).0 == .failure(.unauthenticated))
  }

  @Test("sessions are used, closed and closed again")
  func sessions() throws {
    var bench = LedgerBench.house()
    try bench.open(1, of: "a")
    #expect(bench.content.sessions[1] != nil)
    let tomorrow = Timestamp(milliseconds: 90_000_000)
    #expect(try bench.settle(.useSession(1, of: "a", at: tomorrow)).0.get().changed)
    #expect(try !bench.settle(.useSession(1, of: "a", at: tomorrow)).0.get().changed)
    #expect(try bench.settle(.closeSession(1, of: "a")).0.get().changed)
    #expect(try !bench.settle(.closeSession(1, of: "a")).0.get().changed)
    #expect(
      bench.settle(.useSession(1, of: "a", at: tomorrow)).0 == .failure(.unauthenticated))
    bench.commit()
    #expect(bench.content.sessions.isEmpty)
  }

  @Test("a 33rd session closes the oldest")
  func sessionLimit() throws {
    var bench = LedgerBench.house()
    for number in 1...(Limits.sessionsPerUserMax + 1) {
      bench.now = Timestamp(milliseconds: 1_000_000 + Int64(number))
      try bench.open(SessionID(number), of: "a")
    }
    #expect(bench.content.sessions.count == Limits.sessionsPerUserMax)
    #expect(bench.content.sessions[1] == nil)
  }

  @Test("a recovery closes every session, also one opened in the same batch")
  func recovery() throws {
    var bench = LedgerBench.house()
    try bench.open(1, of: "b")
    let recover = bench.submission(
      of: .account(.recover("b", PasswordHash(phc: "$new"), generation: 1)), by: "b")
    #expect(try bench.settle(recover).0.get().generation == 2)
    bench.commit()
    #expect(bench.content.sessions.isEmpty)
    #expect(bench.content.accounts["b"]?.recoveryGeneration == 2)
    #expect(
      bench.content.events[.user("b")]?.contains { $0.body.contains(UInt8(ascii: "$")) } == false)
  }
}
