import Testing
import WebSocket

@Suite("RFC 9112 §2 to §9, requests")
struct HTTPRequestTests {
  @Test(
    "the target's path and query",
    arguments: [
      ("/", "/", nil), ("/healthz", "/healthz", nil), ("/a/b?c=d&e", "/a/b", "c=d&e"),
      ("/a?", "/a", ""), ("/a?b?c", "/a", "b?c"), ("/%2e%2E//x", "/%2e%2E//x", nil),
      ("http://h", "/", nil), ("http://h?q", "/", "q"), ("HTTP://h:80/x?y", "/x", "y"),
      ("wss://h/ws", "/ws", nil), ("https://[::1]/x", "/x", nil), ("ws://h/", "/", nil),
    ] as [(String, String, String?)])
  func target(_ target: String, _ path: String, _ query: String?) throws {
    let read = try request("GET \(target) HTTP/1.1", "Host: a")
    #expect(read.path == path)
    #expect(read.query == query)
  }

  @Test("an absolute target outweighs the Host field (§3.2.2)")
  func authority() throws {
    #expect(try request("GET http://Other:81/ HTTP/1.1", "Host: a").host == "other:81")
    #expect(try request("GET / HTTP/1.1", "Host: A.Example:80").host == "a.example:80")
    #expect(throws: HTTPFault.malformed) { try request("GET http://other/ HTTP/1.1") }
  }

  @Test(
    "methods",
    arguments: [
      ("GET", .get), ("HEAD", .head), ("POST", .post), ("PUT", .put), ("DELETE", .delete),
      ("OPTIONS", .options), ("PATCH", .other), ("get", .other), ("GETT", .other),
    ] as [(String, HTTPMethod)])
  func method(_ name: String, _ method: HTTPMethod) throws {
    #expect(try request("\(name) / HTTP/1.1", "Host: a").method == method)
  }

  @Test("OPTIONS may ask about everything")
  func asterisk() throws {
    #expect(try request("OPTIONS * HTTP/1.1", "Host: a").path == "*")
  }

  @Test("HTTP/1.0 needs no host and never keeps the connection")
  func old() throws {
    let read = try request("GET / HTTP/1.0", "Connection: keep-alive")
    #expect(read.host == nil)
    #expect(read.minorVersion == 0)
    #expect(!read.keepsAlive)
  }

  @Test(
    "the connection is kept unless closed (§9.3)",
    arguments: [
      (["X: close"], true), (["Connection: keep-alive"], true), (["Connection: close"], false),
      (["Connection: x, CLOSE"], false), (["Connection: x", "Connection: close"], false),
      (["Connection: closed"], true),
    ])
  func keepsAlive(_ fields: [String], _ isKept: Bool) throws {
    let read = try HTTPRequest(head: head(["GET / HTTP/1.1", "Host: a"] + fields))
    #expect(read.keepsAlive == isKept)
  }

  @Test(
    "the body's length",
    arguments: [("0", 0), ("5", 5), ("007", 7), ("999999999999999999", 999_999_999_999_999_999)])
  func body(_ text: String, _ count: Int) throws {
    #expect(try request("POST / HTTP/1.1", "Host: a", "Content-Length: \(text)").bodyBytes == count)
    #expect(try request("POST / HTTP/1.1", "Host: a").bodyBytes == 0)
  }

  @Test("fields are found in any case, in order, and keep their inner blanks")
  func fields() throws {
    let read = try request("GET / HTTP/1.1", "Host: a", "X-A:  one  two\t", "x-a: three", "Xa: 4")
    #expect(read.values("x-a") == ["one  two", "three"])
    #expect(read.value("x-a") == nil)
    #expect(read.value("xa") == "4")
    #expect(read.value("nothing") == nil)
    #expect(read.values("nothing").isEmpty)
  }

  @Test(
    "a fault's status",
    arguments: [
      (HTTPFault.malformed, 400), (.headTooLong, 431), (.fieldsTooMany, 431), (.targetTooLong, 414),
      (.versionNotSupported, 505), (.transferEncodingNotSupported, 501),
    ])
  func status(_ fault: HTTPFault, _ code: Int) {
    #expect(HTTPReply.refusal(fault).status.code == code)
    #expect(!fault.sentence.isEmpty)
  }
}

@Suite("Limits of a head: one below, at, one above")
struct HTTPLimitTests {
  private func outcome(_ bytes: [UInt8], _ limits: HTTPLimits) -> HTTPFault? {
    let whole = fault(of: [bytes[...]], limits)
    #expect(fault(of: bytes.bytewise, limits) == whole)
    return whole
  }

  private func fault(of pieces: [ArraySlice<UInt8>], _ limits: HTTPLimits) -> HTTPFault? {
    switch reading(of: pieces, limits: limits) {
    case .fault(let fault): return fault
    case .unfinished:
      Issue.record("unfinished")
      return nil
    case .head(let head, _):
      do throws(HTTPFault) {
        _ = try HTTPRequest(head: head, limits: limits)
        return nil
      } catch {
        return error
      }
    }
  }

  @Test(
    "bytes of the head", arguments: [(-1, nil), (0, nil), (1, .headTooLong)] as [(Int, HTTPFault?)])
  func head(_ above: Int, _ fault: HTTPFault?) {
    let limits = HTTPLimits(headBytesMax: 200, targetBytesMax: 50, fieldsMax: 8)
    let bare = WebSocketTests.head(["GET / HTTP/1.1", "Host: a", "X: "]).count
    let filler = String(repeating: "x", count: 200 + above - bare)
    let bytes = WebSocketTests.head(["GET / HTTP/1.1", "Host: a", "X: \(filler)"])
    #expect(bytes.count == 200 + above)
    #expect(outcome(bytes, limits) == fault)
  }

  @Test("a head without an end is refused at the limit, not later")
  func endless() {
    let start = Array("GET / HTTP/1.1\r\nX: ".utf8)
    let limits = HTTPLimits(headBytesMax: 200, targetBytesMax: 50, fieldsMax: 8)
    let full = start + repeatElement(0x78, count: 200 - start.count)
    #expect(reading(of: [full[...]], limits: limits) == .unfinished)
    #expect(reading(of: [(full + [0x78])[...]], limits: limits) == .fault(.headTooLong))
    #expect(reading(of: (full + [0x78]).bytewise, limits: limits) == .fault(.headTooLong))
  }

  @Test(
    "bytes of the target",
    arguments: [(-1, nil), (0, nil), (1, .targetTooLong)] as [(Int, HTTPFault?)])
  func target(_ above: Int, _ fault: HTTPFault?) {
    let limits = HTTPLimits(headBytesMax: 400, targetBytesMax: 100, fieldsMax: 8)
    let target = "/" + String(repeating: "t", count: 99 + above)
    for method in ["GET", "OPTIONS"] {
      #expect(
        outcome(WebSocketTests.head(["\(method) \(target) HTTP/1.1", "Host: a"]), limits) == fault)
    }
  }

  @Test("a target without an end is refused before its line ends")
  func endlessTarget() {
    let limits = HTTPLimits(headBytesMax: 4000, targetBytesMax: 100, fieldsMax: 8)
    let bytes = Array("GET /".utf8) + repeatElement(0x78, count: 200)
    #expect(reading(of: [bytes[...]], limits: limits) == .fault(.targetTooLong))
    let short = HTTPLimits(headBytesMax: 100, targetBytesMax: 2000, fieldsMax: 8)
    #expect(reading(of: [bytes[...]], limits: short) == .fault(.targetTooLong))
  }

  @Test("fields", arguments: [(-1, nil), (0, nil), (1, .fieldsTooMany)] as [(Int, HTTPFault?)])
  func fields(_ above: Int, _ fault: HTTPFault?) {
    let limits = HTTPLimits(headBytesMax: 4000, targetBytesMax: 50, fieldsMax: 8)
    let others = (0..<(7 + above)).map { "X\($0): y" }
    #expect(outcome(WebSocketTests.head(["GET / HTTP/1.1", "Host: a"] + others), limits) == fault)
  }

  @Test("after a fault the reader says the same to everything")
  func sticky() throws {
    var reader = HTTPHeadReader()
    let good = WebSocketTests.head(["GET / HTTP/1.1", "Host: a"])
    for bytes in [Array("\n".utf8), good, good] {
      var position = 0
      #expect(throws: HTTPFault.malformed) {
        try reader.next(in: bytes.span, at: &position, end: bytes.count)
      }
      #expect(position == bytes.count)
    }
  }

  @Test("a reader takes one head after another")
  func pipelined() throws {
    let first = WebSocketTests.head(["GET /1 HTTP/1.1", "Host: a"])
    let second = WebSocketTests.head(["GET /2 HTTP/1.1", "Host: a"])
    let both = first + second
    var reader = HTTPHeadReader()
    var position = 0
    #expect(reader.isEmpty)
    #expect(try reader.next(in: both.span, at: &position, end: both.count) == first)
    #expect(position == first.count && reader.isEmpty)
    #expect(try reader.next(in: both.span, at: &position, end: both.count - 1) == nil)
    #expect(!reader.isEmpty)
    #expect(try reader.next(in: both.span, at: &position, end: both.count) == second)
  }
}
