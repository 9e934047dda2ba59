import Domain
import Foundation
import MethodSamples
import Testing
import Wire

@testable import Sync

// The scenarios of `protocol/vectors/scenarios`: after these commands, that one gets exactly this answer and these
// events. Here the ledger is asked; the bytes of its events must be those of the file.

struct Scenario: CustomTestStringConvertible, Sendable {
  let name: String
  let given: [JSONNode]
  let when: JSONNode
  /// The outcome as it stands in the file, line breaks between events left out.
  let then: JSONNode

  var testDescription: String { name }

  static let all: [Scenario] = {
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
      return try names.filter { $0.hasSuffix(".json") }.flatMap(read)
    } catch {
      fatalError("the scenarios cannot be read: \(error)")
    }
  }()

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "protocol/vectors/scenarios")

  private static func read(_ name: String) throws -> [Scenario] {
    let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
    let root = try JSONDocument(bytes, limits: JSONLimits(bytesMax: 1 << 24)).root
    return try #require(root.elements).map { row in
      Scenario(
        name: try #require(row["name"]?.string), given: Array(try #require(row["given"]?.elements)),
        when: try #require(row["when"]), then: try #require(row["then"]))
    }
  }
}

@Suite("protocol §7, §8 scenarios")
struct ScenarioTests {
  @Test("given, when, then", arguments: Scenario.all)
  func scenario(_ scenario: Scenario) throws {
    var stage = Stage()
    for step in scenario.given {
      if case .failure(let refusal) = try stage.play(step).0 {
        Issue.record("given \(step["method"]?.string ?? "?"): \(refusal)")
      }
    }
    let (outcome, events) = try stage.play(scenario.when)
    let method = try #require(scenario.when["method"]?.string)
    switch outcome {
    case .failure(let refusal):
      #expect(events.isEmpty)
      let answer = try JSONDocument(Answer.error(.number(1), .refused(refusal))).root
      #expect(text(answer["error"]) == text(scenario.then["error"]))
    case .success(let result):
      let answer = try JSONDocument(try stage.answer(method, scenario.when, result)).root
      #expect(text(answer["result"]) == text(scenario.then["result"]))
      let expected = Array(try #require(scenario.then["events"]?.elements))
      #expect(events.map { $0.stream.description } == expected.map { $0["stream"]?.string })
      #expect(events.map(\.seq) == expected.map { $0["seq"]?.int64 })
      #expect(
        events.map { String(decoding: $0.body, as: UTF8.self) }
          == expected.map { text($0["event"]) })
    }
  }

  @Test("every change has a scenario")
  func complete() {
    let played = Set(Scenario.all.compactMap { $0.when["method"]?.string })
    // A guest's upgrade has no sample, but the ledger decides it too.
    let changes = MethodSample.ofMethods.map(\.method) + [.signIn(.upgrade)]
    #expect(played == Set(changes.map(\.name)))
  }

  private func text(_ node: JSONNode?) -> String {
    node.map { String(decoding: $0.rawBytes, as: UTF8.self) } ?? "nothing"
  }
}

/// A stage that plays steps on a ledger. A password's hash is the password; the recovery code of generation n is
/// `code-n`.
private struct Stage {
  var bench = LedgerBench()

  mutating func play(
    _ step: JSONNode
  ) throws -> (Result<CommandResult, Refusal>, [EventRecord]) {
    let work = try work(step)
    let now = Timestamp(milliseconds: try #require(step["at"]?.int64))
    let transaction = TransactionID(try #require(UUID(step["tx"]?.string ?? "")))
    for _ in 0..<1_000 {
      switch bench.ledger.decide(work, now: now, transaction: transaction) {
      case .needs(let needs):
        for need in needs { bench.ledger.provide(need, bench.answer(need)) }
      case .settled(let result, let repeated):
        #expect(!repeated)
        let events = bench.ledger.staged.events
        bench.commit()
        return (result, events)
      }
    }
    throw Endless()
  }

  private struct Endless: Error {}

  private func work(_ step: JSONNode) throws -> LedgerWork {
    let user = UserID(try #require(UUID(step["by"]?.string ?? "")))
    let actor = Actor(user: user, session: nil)
    let envelope = try request(step)
    func submit(
      _ command: Command, _ key: CommandKey, _ proof: Proof = .notAsked, base: CommandBase? = nil
    ) -> LedgerWork {
      .command(
        Submission(
          actor: actor, command: command, key: key, hash: envelope.canonical, proof: proof,
          base: base))
    }
    switch envelope.request {
    case .register(let it):
      let registration = Registration(
        id: it.id, username: it.username, name: it.name, zone: it.zone,
        password: PasswordHash(phc: it.password), code: it.code, kind: it.kind)
      return submit(
        .account(.register(registration)), try #require(CommandKey(it.id.description)))
    case .recover(let it):
      let generation = try #require(Int(it.code.dropFirst("code-".count)))
      return submit(
        .account(.recover(user, PasswordHash(phc: it.password), generation: generation)), it.key)
    case .changePassword(let it):
      let stored = try #require(bench.content.accounts[user]).password
      return submit(
        .account(.changePassword(PasswordHash(phc: it.new))), it.key,
        stored.phc == it.old ? .verified(stored) : .failed)
    case .deleteAccount(let it):
      let stored = try #require(bench.content.accounts[user]).password
      return submit(
        .account(.delete(days: 14)), it.key,
        it.password == stored.phc ? .verified(stored) : .failed)
    case .login: return try openSession(step, of: user)
    case .command(let command, let key, let base):
      return submit(withOpening(command), key, base: base)
    case .hello, .ping, .about, .open, .close, .logout, .query, .ephemeral, .openPairing, .pair:
      throw Endless()
    case .guest(let it): return try beginAsGuest(it, step)
    case .upgrade(let it):
      let password = PasswordHash(phc: it.password)
      return submit(
        .account(.upgrade(Upgrade(username: it.username, name: it.name, password: password))),
        it.key)
    }
  }

  private func request(_ step: JSONNode) throws -> RequestEnvelope {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("id")
    writer.int(1)
    writer.key("method")
    writer.raw(try #require(step["method"]).rawBytes)
    writer.key("params")
    writer.raw(try #require(step["params"]).rawBytes)
    writer.endObject()
    return try RequestEnvelope(decoding: writer.bytes)
  }

  /// Returns the command with the opening of its code, which is written as `PLACE ID`.
  private func withOpening(_ command: Command) -> Command {
    guard case .invitation(.redeem(var code)) = command else { return command }
    let ids = code.text.split(separator: " ").compactMap { UUID($0) }
    for place in ids.prefix(1) {
      for stream in [StreamID.category(CategoryID(place)), .group(GroupID(place))] {
        for object in bench.objects(.invitationCode, in: stream) where object.key.id == ids.last {
          code.opens = .invitation(InvitationID(object.key.id), stream)
        }
      }
    }
    return .invitation(.redeem(code))
  }

  private func openSession(_ step: JSONNode, of user: UserID) throws -> LedgerWork {
    let at = Timestamp(milliseconds: try #require(step["at"]?.int64))
    let session = SessionRecord(
      id: SessionID(try #require(UUID(step["session"]?.string ?? ""))), user: user,
      tokenHash: [], deviceHash: nil, client: "", openedAt: at, usedAt: at)
    return .openSession(session, account: try #require(bench.content.accounts[user]))
  }

  /// Begins as a guest, who is called `guest-` and the last ten letters of the id.
  private func beginAsGuest(_ it: GuestRequest, _ step: JSONNode) throws -> LedgerWork {
    let at = Timestamp(milliseconds: try #require(step["at"]?.int64))
    let session = SessionRecord(
      id: SessionID(try #require(UUID(step["session"]?.string ?? ""))), user: it.id,
      tokenHash: [], deviceHash: Array(it.device.utf8), client: "", openedAt: at, usedAt: at)
    return .openGuest(
      NewGuest(
        id: it.id, username: "guest-" + it.id.description.suffix(10), name: it.name, zone: it.zone),
      session)
  }

  func answer(_ method: String, _ step: JSONNode, _ result: CommandResult) throws -> [UInt8] {
    switch try request(step).request {
    case .register(let it):
      Answer.register(
        .number(1),
        RegisterResult(
          changed: result.changed, user: it.id, username: it.username,
          recoveryCode: "code-\(result.generation ?? 0)", events: result.events))
    case .upgrade(let it):
      Answer.register(
        .number(1),
        RegisterResult(
          changed: result.changed, user: UserID(try #require(UUID(step["by"]?.string ?? ""))),
          username: it.username, recoveryCode: "code-\(result.generation ?? 0)",
          events: result.events))
    case .recover:
      Answer.recover(
        .number(1),
        RecoverResult(changed: result.changed, recoveryCode: "code-\(result.generation ?? 0)"))
    case .command(.link(.make(let id, let category, _)), key: _, base: _):
      Answer.command(
        .number(1), result.with(code: "\(category) \(id)", shows: GuestLink.shows))
    case .command(.bot(.addToken(let bot, let id, _)), key: _, base: _):
      Answer.command(.number(1), result.with(token: "\(id) \(bot)"))
    case .command(.bot(.addWebhook(let bot, let id, _)), key: _, base: _):
      Answer.command(.number(1), result.with(secret: "\(id) \(bot)"))
    case .command(.invitation(.makeCode(let id, let stream, _)), key: _, base: _):
      Answer.command(.number(1), result.with(code: "\(stream.uuid) \(id)"))
    case .hello, .ping, .about, .open, .close, .login, .changePassword, .logout, .command, .query,
      .ephemeral, .openPairing, .pair, .guest, .deleteAccount:
      Answer.command(.number(1), result)
    }
  }
}

extension CommandResult {
  fileprivate func with(token: String) -> CommandResult {
    var result = self
    result.token = token
    return result
  }

  fileprivate func with(secret: String) -> CommandResult {
    var result = self
    result.secret = secret
    return result
  }

  fileprivate func with(code: String, shows: String? = nil) -> CommandResult {
    var result = self
    result.shows = shows
    result.code = code
    return result
  }
}
