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
    let method = try #require(Method(named: vector.text("method")))
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
    case .connection(.hello): _ = try? HelloResult(decoding: node)
    case .connection(.about): _ = try? ServerAbout(decoding: node)
    case .connection(.open): _ = try? StreamStatus.decodeOpenResult(node)
    case .signIn(.register), .signIn(.upgrade): _ = try? RegisterResult(decoding: node)
    case .signIn(.login), .signIn(.pair), .signIn(.guest): _ = try? LoginResult(decoding: node)
    case .signIn(.openPairing): _ = try? PairingResult(decoding: node)
    case .signIn(.recover): _ = try? RecoverResult(decoding: node)
    case .query(.sessions): _ = try? SessionLine.decodeListResult(node)
    case .query(.profile): _ = try? Profile(decoding: node)
    case .query(.categories):
      _ = try? Domain.Category.decodeListResult(node)
      _ = try? BadgesResult(decoding: node)
    case .query(.posts): _ = try? PostsResult(decoding: node)
    case .query(.members): _ = try? MemberLine.decodeListResult(node)
    case .query(.links): _ = try? LinkLine.decodeListResult(node)
    case .query(.codes): _ = try? CodeLine.decodeListResult(node)
    case .query(.notifications): _ = try? NotificationsResult(decoding: node)
    case .query(.undoPreview): _ = try? UndoPreview(decoding: node)
    case .query(.historyEvents): _ = try? HistoryPage(decoding: node)
    case .query(.historyState): _ = try? PastStatePage(decoding: node)
    case .query(.historyDifference): _ = try? DifferencePage(decoding: node)
    case .query(.search): _ = try? SearchResult(decoding: node)
    case .query(.view): _ = try? ViewResult(decoding: node)
    case .query(.agenda): _ = try? AgendaResult(decoding: node)
    case .query(.digest): _ = try? DigestResult(decoding: node)
    case .query(.stats): _ = try? StatsResult(decoding: node)
    case .query(.twins): _ = try? TwinLine.decodeListResult(node)
    case .query(.export): _ = try? ExportPage(decoding: node)
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
