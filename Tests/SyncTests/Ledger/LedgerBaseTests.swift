import Domain
import Testing

@testable import Sync

@Suite("protocol §10.4: commands that waited") struct LedgerBaseTests {
  private static let list = StreamID.category(1)

  private static func base(_ bench: LedgerBench, of stream: StreamID, plus: Int64 = 0)
    -> CommandBase
  {
    let last = bench.content.events[stream]?.last
    return CommandBase(epoch: last?.epoch ?? Epoch(""), seq: (last?.seq ?? 0) + plus)
  }

  private static func submit(
    _ command: Command, by user: UserID = "b", on base: CommandBase, to bench: inout LedgerBench
  ) -> (Result<CommandResult, Refusal>, Submission) {
    let plain = bench.submission(of: command, by: user)
    let waited = Submission(
      actor: plain.actor, command: command, key: plain.key, hash: plain.hash, base: base)
    return (bench.settle(waited).0, waited)
  }

  @Test("on a copy that the log leads on from they take effect", arguments: [0, -1, -3])
  func onTime(plus: Int64) throws {
    var bench = LedgerBench.house()
    let base = Self.base(bench, of: Self.list, plus: plus)
    let (result, _) = Self.submit(.completePost(1, 1, ifVersion: nil), on: base, to: &bench)
    #expect(try result.get().changed)
  }

  @Test("on a copy that knows more than the log they are refused", arguments: [1, 2, 1_000])
  func ahead(plus: Int64) {
    var bench = LedgerBench.house()
    let base = Self.base(bench, of: Self.list, plus: plus)
    let (result, _) = Self.submit(.completePost(1, 1, ifVersion: nil), on: base, to: &bench)
    #expect(result == .failure(.staleBase))
    #expect(bench.ledger.staged.isEmpty)
  }

  @Test("on a copy of another history they are refused")
  func epoch() {
    var bench = LedgerBench.house()
    let base = CommandBase(epoch: Epoch("before.1"), seq: 1)
    for command in [Command.completePost(1, 1, ifVersion: nil), .category(.edit(1, name: "Home"))] {
      #expect(Self.submit(command, on: base, to: &bench).0 == .failure(.staleBase))
    }
    #expect(bench.ledger.staged.isEmpty)
  }

  @Test("the head of the batch counts, committed or not")
  func withinBatch() throws {
    var bench = LedgerBench.house()
    let next = Self.base(bench, of: Self.list, plus: 1)
    _ = bench.settle(bench.submission(of: .post(.add(1, 9, title: "x", notes: "")), by: "a"))
    let (result, _) = Self.submit(.completePost(1, 1, ifVersion: nil), on: next, to: &bench)
    #expect(try result.get().changed)
  }

  @Test("commands about oneself are compared with the own stream")
  func own() throws {
    var bench = LedgerBench.house()
    let edit = Command.account(.editProfile(ProfileEdit(location: "Porto")))
    let stale = CommandBase(epoch: Self.base(bench, of: Self.list).epoch, seq: 1)
    #expect(Self.submit(edit, on: stale, to: &bench).0 == .failure(.staleBase))
    let base = Self.base(bench, of: .user("b"))
    #expect(try Self.submit(edit, on: base, to: &bench).0.get().changed)
  }

  @Test("who is no member hears nothing of the stream")
  func stranger() {
    var bench = LedgerBench.house()
    for base in [Self.base(bench, of: Self.list), CommandBase(epoch: Epoch("before.1"), seq: 1)] {
      let post = Command.completePost(1, 1, ifVersion: nil)
      #expect(Self.submit(post, by: "c", on: base, to: &bench).0 == .failure(.notFound("category")))
      let nowhere = Command.completePost(77, 1, ifVersion: nil)
      #expect(
        Self.submit(nowhere, by: "c", on: base, to: &bench).0 == .failure(.notFound("category")))
    }
  }

  @Test("a repeat is answered before its base is looked at, whatever base it has")
  func repeated() throws {
    var bench = LedgerBench.house()
    let base = Self.base(bench, of: Self.list)
    let (result, waited) = Self.submit(.completePost(1, 1, ifVersion: nil), on: base, to: &bench)
    bench.commit()
    for other in [base, CommandBase(epoch: Epoch("before.1"), seq: 900), nil] {
      let again = Submission(
        actor: waited.actor, command: waited.command, key: waited.key, hash: waited.hash,
        base: other)
      let (second, repeated) = bench.settle(again)
      #expect(second == result)
      #expect(repeated)
    }
  }
}
