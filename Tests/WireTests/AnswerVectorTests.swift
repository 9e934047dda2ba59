import Domain
import Testing

@testable import Wire

@Suite("protocol §8 results and §11 errors")
struct AnswerVectorTests {
  @Test("a result is read and written again byte for byte", arguments: Vectors.results)
  func results(_ vector: Vector) throws {
    let bytes = try vector.bytes("message")
    guard case .result(let id, let node) = try ServerMessage(decoding: bytes) else {
      Issue.record("is no result")
      return
    }
    let method = try #require(Method(named: vector.text("method")))
    #expect(text(try rewritten(method, id, node)) == text(bytes))
  }

  private func rewritten(_ method: Method, _ id: RequestID, _ node: JSONNode) throws -> [UInt8] {
    switch method {
    case .connection(.hello): Answer.hello(id, try HelloResult(decoding: node))
    case .connection(.ping):
      Answer.ping(id, time: Timestamp(milliseconds: try #require(node["time"]?.int64)))
    case .connection(.about): Answer.about(id, try ServerAbout(decoding: node))
    case .connection(.open): Answer.open(id, try StreamStatus.decodeOpenResult(node))
    case .connection(.close), .signIn(.logout), .moment(.presence), .moment(.typing),
      .moment(.progress):
      Answer.done(id)
    case .signIn(.register), .signIn(.upgrade):
      Answer.register(id, try RegisterResult(decoding: node))
    case .signIn(.login), .signIn(.pair), .signIn(.guest):
      Answer.login(id, try LoginResult(decoding: node))
    case .signIn(.openPairing): Answer.pairing(id, try PairingResult(decoding: node))
    case .signIn(.recover): Answer.recover(id, try RecoverResult(decoding: node))
    case .query(.sessions): Answer.sessions(id, try SessionLine.decodeListResult(node))
    case .query(.profile): Answer.profile(id, try Profile(decoding: node))
    case .query(.categories) where node["badges"] != nil:
      Answer.badges(id, try BadgesResult(decoding: node))
    case .query(.categories):
      Answer.categories(
        id,
        bodies: try Category.decodeListResult(node).map { ObjectCodec.encode(.category($0)) })
    case .query(.posts): try posts(id, PostsResult(decoding: node))
    case .query(.members): Answer.members(id, try MemberLine.decodeListResult(node))
    case .query(.bots): Answer.bots(id, try BotLine.decodeListResult(node))
    case .query(.links): Answer.links(id, try LinkLine.decodeListResult(node))
    case .query(.codes): Answer.codes(id, try CodeLine.decodeListResult(node))
    case .query(.notifications): Answer.notifications(id, try NotificationsResult(decoding: node))
    case .query(.undoPreview): Answer.history(id, .undo(try UndoPreview(decoding: node)))
    case .query(.historyEvents): Answer.history(id, .events(try HistoryPage(decoding: node)))
    case .query(.historyState): Answer.history(id, .state(try PastStatePage(decoding: node)))
    case .query(.historyDifference):
      Answer.history(id, .difference(try DifferencePage(decoding: node)))
    case .query(.search): Answer.search(id, try SearchResult(decoding: node))
    case .query(.view): Answer.view(id, try ViewResult(decoding: node))
    case .query(.agenda): Answer.agenda(id, try AgendaResult(decoding: node))
    case .query(.export): Answer.export(id, try ExportPage(decoding: node))
    case .signIn(.delete): Answer.command(id, try CommandResult(decoding: node))
    case .query(.digest): Answer.digest(id, try DigestResult(decoding: node))
    case .query(.stats): Answer.stats(id, try StatsResult(decoding: node))
    case .query(.twins): Answer.twins(id, try TwinLine.decodeListResult(node))
    case .signIn(.changePassword): Answer.command(id, try CommandResult(decoding: node))
    case _ where method.row.kind == .change:
      Answer.command(id, try CommandResult(decoding: node))
    default: throw UnreadAnswer(method: method)
    }
  }

  private struct UnreadAnswer: Error {
    let method: Method
  }

  private func posts(_ id: RequestID, _ result: PostsResult) -> [UInt8] {
    Answer.posts(
      id, bodies: result.posts.map { ObjectCodec.encode(.post($0)) }, before: result.before)
  }

  @Test("each failure is answered as its vector says", arguments: Samples.failures)
  func failures(_ sample: Sample<(RequestID?, Failure)>) throws {
    let vector = try #require(Vectors.errors.first { $0.name == sample.name })
    let (id, failure) = sample.value
    #expect(text(Answer.error(id, failure)) == text(try vector.bytes("message")))
  }

  @Test("a client reads of an error what the server wrote", arguments: Samples.failures)
  func errorsRead(_ sample: Sample<(RequestID?, Failure)>) throws {
    let (id, failure) = sample.value
    let bytes = Answer.error(id, failure)
    guard case .error(let readID, let error) = try ServerMessage(decoding: bytes) else {
      Issue.record("is no error")
      return
    }
    #expect(readID == id)
    #expect(error.kind == failure.kind)
    #expect(error.code == failure.kind.code)
    #expect(error.retry == failure.kind.retry)
    #expect(error.sentence == failure.sentence)
    switch failure {
    case .refused(.invalid(let field, _, let place)):
      #expect(error.field == field)
      #expect(error.place == place)
    case .refused(.exists(let field, _)):
      #expect(error.field == field)
    case .refused(.tooLarge(let field, let max)):
      #expect(error.field == field)
      #expect(error.max == max)
    case .refused(.quota(let limit, let max)):
      #expect(error.limit == limit)
      #expect(error.max == max)
    case .refused(.conflict(let post)):
      #expect(error.version == post.version)
      #expect(error.object == .post(post))
    case .refused(.overlap(let post, let field)):
      #expect(error.field == field)
      #expect(error.version == post.version)
      #expect(error.object == .post(post))
    case .refused(.inBatch(let index, let refusal)):
      #expect(error.index == index)
      if case .conflict(let post) = refusal { #expect(error.object == .post(post)) }
    case .rateLimited(let after), .unavailable(let after):
      #expect(error.afterMilliseconds == after)
    default: break
    }
  }

  @Test("an error of a newer kind is still an error")
  func newerKind() throws {
    let bytes = Array(
      #"{"jsonrpc":"2.0","id":1,"error":{"code":-32099,"message":"No.","data":{"kind":"tired"}}}"#
        .utf8)
    guard case .error(.number(1), let error) = try ServerMessage(decoding: bytes) else {
      Issue.record("is no error")
      return
    }
    #expect(error == ServerError(kind: nil, code: -32099, retry: .no, sentence: "No."))
  }

  @Test("codes are distinct, so are close codes' reasons short", arguments: [0])
  func codes(_: Int) {
    #expect(Set(ErrorKind.allCases.map(\.code)).count == ErrorKind.allCases.count)
    #expect(CloseCode.allCases.allSatisfy { $0.reason.utf8.count <= 123 })
    for code in CloseCode.allCases where code.rawValue >= 4000 {
      #expect(code.invitesReconnect == (code.rawValue < 4500))
    }
  }
}
