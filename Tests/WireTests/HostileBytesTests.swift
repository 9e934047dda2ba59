import Domain
import TestRandom
import Testing

@testable import Wire

@Suite("protocol §4 hostile bytes")
struct HostileBytesTests {
  @Test("every start of a valid request is refused", arguments: Vectors.requests)
  func requestsCut(_ vector: Vector) throws {
    let bytes = try vector.bytes("message")
    for count in 0..<bytes.count {
      #expect(throws: RequestError.self) {
        try RequestEnvelope(decoding: Array(bytes[..<count]))
      }
    }
  }

  @Test(
    "every start of a valid answer or push is refused",
    arguments: [Vectors.results, Vectors.errors, Vectors.pushes, Vectors.newer].flatMap(\.self))
  func serverMessagesCut(_ vector: Vector) throws {
    let bytes = try vector.bytes("message")
    for count in 0..<bytes.count {
      #expect(throws: WireError.notJSON) {
        try ServerMessage(decoding: Array(bytes[..<count]))
      }
    }
  }

  @Test(
    "a result without any one of its members, or with null there, is read or refused, never a crash",
    arguments: Vectors.results)
  func resultsWithHoles(_ vector: Vector) throws {
    let method = try #require(Method(rawValue: vector.text("method")))
    let result = try #require(vector.row["message"]?["result"])
    for holed in holes(result) {
      let bytes = Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\(holed)}".utf8)
      guard case .result(_, let node) = try ServerMessage(decoding: bytes) else { continue }
      readResult(method, node)
    }
  }

  /// The value with each member in turn left out, and with each in turn null.
  private func holes(_ node: JSONNode) -> [String] {
    guard let members = node.members.map(Array.init) else { return [] }
    return members.indices.flatMap { hole in
      [nil, "null"].map { (replacement: String?) in
        let parts = members.enumerated().compactMap { index, member -> String? in
          let value = index == hole ? replacement : text(Array(member.value.rawBytes))
          return value.map { "\"\(member.name)\":\($0)" }
        }
        return "{" + parts.joined(separator: ",") + "}"
      }
    }
  }

  private func readResult(_ method: Method, _ node: JSONNode) {
    switch method {
    case .hello: _ = try? HelloResult(decoding: node)
    case .serverAbout: _ = try? ServerAbout(decoding: node)
    case .syncOpen: _ = try? StreamStatus.decodeOpenResult(node)
    case .accountRegister, .accountUpgrade: _ = try? RegisterResult(decoding: node)
    case .accountLogin, .accountPair, .accountGuest: _ = try? LoginResult(decoding: node)
    case .sessionPair: _ = try? PairingResult(decoding: node)
    case .accountRecover: _ = try? RecoverResult(decoding: node)
    case .sessionList: _ = try? SessionLine.decodeListResult(node)
    case .profileGet: _ = try? Profile(decoding: node)
    case .categoryList:
      _ = try? Domain.Category.decodeListResult(node)
      _ = try? BadgesResult(decoding: node)
    case .postList: _ = try? PostsResult(decoding: node)
    case .memberList: _ = try? MemberLine.decodeListResult(node)
    case .linkList: _ = try? LinkLine.decodeListResult(node)
    case .invitationCodes: _ = try? CodeLine.decodeListResult(node)
    case .notificationList: _ = try? NotificationsResult(decoding: node)
    case .undoPreview: _ = try? UndoPreview(decoding: node)
    case .historyGet: _ = try? HistoryPage(decoding: node)
    case .historyState: _ = try? PastStatePage(decoding: node)
    case .historyDiff: _ = try? DifferencePage(decoding: node)
    case .search: _ = try? SearchResult(decoding: node)
    case .postQuery: _ = try? ViewResult(decoding: node)
    case .agendaGet: _ = try? AgendaResult(decoding: node)
    case .digestGet: _ = try? DigestResult(decoding: node)
    case .statsGet: _ = try? StatsResult(decoding: node)
    case .postTwins: _ = try? TwinLine.decodeListResult(node)
    case .accountExport: _ = try? ExportPage(decoding: node)
    default: _ = try? CommandResult(decoding: node)
    }
  }

  @Test("an op or object with a member missing or null is refused or does without it")
  func holesInObjects() throws {
    var refused = 0
    for vector in Vectors.objects {
      for holed in holes(try #require(vector.row["object"])) {
        do {
          _ = try ObjectCodec.decode(Array(holed.utf8))
        } catch {
          refused += 1
        }
      }
    }
    for vector in Vectors.ops {
      for holed in holes(try #require(vector.row["op"])) {
        do {
          _ = try OpCodec.decode(try JSONDocument(Array(holed.utf8)).root)
        } catch {
          refused += 1
        }
      }
    }
    #expect(refused > 200)
  }

  @Test("requests with bytes changed at random are read or refused", arguments: [1, 2, 3, 4])
  func mutated(round: UInt64) throws {
    let seed = round &* 0x5DEE_CE66 &+ 11
    print("seed \(seed)")
    var numbers = SeededRandom(seed: seed)
    let alphabet = Array("{}[]\",:\\u0019-.eEtfn \u{FF}é".utf8)
    for vector in Vectors.requests {
      let original = try vector.bytes("message")
      for _ in 0..<40 {
        var bytes = original
        for _ in 0..<Int.random(in: 1...3, using: &numbers) {
          let index = Int.random(in: 0..<bytes.count, using: &numbers)
          bytes[index] = alphabet.randomElement(using: &numbers) ?? 0
        }
        do throws(RequestError) {
          let envelope = try RequestEnvelope(decoding: bytes)
          let again = try RequestEnvelope(decoding: envelope.request.encoded(id: envelope.id))
          #expect(again == envelope)
        } catch {
          _ = try JSONDocument(Answer.error(error.id, error.failure))
        }
      }
    }
  }
}
