import Domain
import Testing

@testable import Wire

@Suite("protocol §8 requests")
struct RequestVectorTests {
  @Test("a valid request means what its vector says", arguments: Vectors.requests)
  func means(_ vector: Vector) throws {
    let envelope = try RequestEnvelope(decoding: vector.bytes("message"))
    let means = try #require(vector.row["means"])
    #expect(envelope.method.name == means["method"]?.string)
    let sent = try JSONDocument(envelope.request.encoded(id: envelope.id)).root
    #expect(sorted(try #require(sent["params"])) == sorted(try #require(means["params"])))
    #expect(sent["id"]?.rawBytes == vector.row["message"]?["id"]?.rawBytes)
    #expect(sent["jsonrpc"]?.string == "2.0")
  }

  @Test("The hashed text has sorted members, no id, no key, no secret", arguments: Vectors.requests)
  func canonical(_ vector: Vector) throws {
    let envelope = try RequestEnvelope(decoding: vector.bytes("message"))
    #expect(text(envelope.canonical) == (vector.row["canonical"]?.string ?? ""))
  }

  @Test("The server reads the same as the client sends", arguments: Vectors.requests)
  func sentAndRead(_ vector: Vector) throws {
    let envelope = try RequestEnvelope(decoding: vector.bytes("message"))
    let again = try RequestEnvelope(decoding: envelope.request.encoded(id: envelope.id))
    #expect(again == envelope)
  }

  @Test("each vector is the typed request of the same name", arguments: Samples.requests)
  func typed(_ sample: Sample<Request>) throws {
    let vector = try #require(
      Vectors.requests.first { $0.name == sample.name },
      "protocol/vectors/messages lacks this: \(text(sample.value.encoded(id: .number(1))))")
    #expect(try RequestEnvelope(decoding: vector.bytes("message")).request == sample.value)
  }

  @Test("every method has a typed sample", arguments: Method.allCases)
  func sampled(_ method: Method) {
    #expect(Samples.requests.contains { $0.value.method == method && $0.name == method.name })
  }

  @Test("a malformed request gets exactly the answer of its vector", arguments: Vectors.invalid)
  func invalid(_ vector: Vector) throws {
    let bytes = try badBytes(vector)
    do throws(RequestError) {
      let envelope = try RequestEnvelope(decoding: bytes)
      Issue.record("was read as \(envelope)")
    } catch {
      #expect(text(Answer.error(error.id, error.failure)) == text(try vector.bytes("answer")))
    }
  }

  private func badBytes(_ vector: Vector) throws -> [UInt8] {
    if let raw = vector.row["text"]?.string { return Array(raw.utf8) }
    guard let hex = vector.row["hex"]?.string else { return try vector.bytes("message") }
    let digits = Array(hex)
    return try stride(from: 0, to: digits.count, by: 2).map {
      try #require(UInt8(String(digits[$0...$0 + 1]), radix: 16))
    }
  }

  @Test(
    "lists of streams are taken up to 1024",
    arguments: [(1023, true), (1024, true), (1025, false)])
  func streamsMax(count: Int, isTaken: Bool) {
    let streams = (0..<count).map { StreamID.category(CategoryID(UUID(high: 1, low: UInt64($0)))) }
    let bytes = Request.close(streams).encoded(id: .number(1))
    #expect(refusal(of: bytes) == (isTaken ? nil : .tooLarge(field: "streams", max: 1024)))
  }

  @Test(
    "notes are taken up to 16384 scalars",
    arguments: [(16383, true), (16384, true), (16385, false)])
  func notesMax(count: Int, isTaken: Bool) throws {
    let command = Command.post(
      .add(
        CategoryID(UUID(high: 1, low: 1)), PostID(UUID(high: 1, low: 2)), title: "t",
        notes: String(repeating: "ä", count: count)))
    let key = try #require(CommandKey("k"))
    let bytes = Request.command(command, key: key).encoded(id: .number(1))
    #expect(refusal(of: bytes) == (isTaken ? nil : .tooLarge(field: "notes", max: 16384)))
  }

  private func refusal(of bytes: [UInt8]) -> Refusal? {
    do throws(RequestError) {
      _ = try RequestEnvelope(decoding: bytes)
      return nil
    } catch {
      guard case .refused(let refusal) = error.failure else { return nil }
      return refusal
    }
  }
}
