// Answers of a host that behaves well, badly, or without end.

import Testing

@testable import Courier

@Suite("The answers that letters get")
struct AnswerTests {
  private let courier: Courier

  init() throws {
    courier = try Courier(CourierOptions(reachesPrivateAddresses: true))
  }

  @Test(
    "a whole answer with any status is the reply",
    arguments: [
      ("200 OK\r\nContent-Length: 5\r\n\r\nhello", Reply(status: 200, body: Array("hello".utf8))),
      ("200 OK\r\nContent-Length: 0\r\n\r\n", Reply(status: 200)),
      ("204 No Content\r\n\r\n", Reply(status: 204)),
      (
        "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
        Reply(status: 200, body: Array("abcde".utf8))
      ),
      (
        "302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n", Reply(status: 302)
      ),
      ("307 Temporary\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n", Reply(status: 307)),
      ("401 No\r\nWWW-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n", Reply(status: 401)),
      ("404 Not Found\r\nContent-Length: 0\r\n\r\n", Reply(status: 404)),
      (
        "429 Slow\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n",
        Reply(status: 429, retryAfterSeconds: 7)
      ),
      (
        "503 Later\r\nretry-after:   0120  \r\nContent-Length: 0\r\n\r\n",
        Reply(status: 503, retryAfterSeconds: 120)
      ),
      (
        "503 Later\r\nRetry-After: Fri, 31 Dec 2999 23:59:59 GMT\r\nContent-Length: 0\r\n\r\n",
        Reply(status: 503)
      ),
      (
        "103 Early\r\nRetry-After: 9\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        Reply(status: 200)
      ),
      ("500 Broken\r\nContent-Length: 2\r\n\r\nno", Reply(status: 500, body: Array("no".utf8))),
      ("599 Odd\r\nContent-Length: 0\r\n\r\n", Reply(status: 599)),
    ])
  func replies(answer: String, reply: Reply) throws {
    let receiver = try Receiver(.answers("HTTP/1.1 " + answer))
    #expect(courier.deliver(receiver.address())?.outcome == .answered(reply))
    #expect(receiver.requests.count == 1)
  }

  @Test(
    "the number of Retry-After is seconds, up to a day, and anything else is nothing",
    arguments: [
      ("", nil), ("0", 0), ("7", 7), ("007", 7), ("86399", 86_399), ("86400", 86_400),
      ("86401", 86_400), ("99999999999999999999999999", 86_400), ("-1", nil), ("+1", nil),
      ("1.5", nil), ("1 2", nil), ("7s", nil), ("٣", nil), ("Fri, 31 Dec 1999 23:59:59 GMT", nil),
    ])
  func retryAfter(value: String, seconds: Int?) {
    #expect(Reply.retryAfterSeconds(value) == seconds)
  }

  @Test("an answer without a length ends with its connection")
  func endsWithConnection() throws {
    let receiver = try Receiver(.answersOnce("HTTP/1.0 200 OK\r\n\r\nhello"))
    let outcome = courier.deliver(receiver.address())?.outcome
    #expect(outcome == .answered(Reply(status: 200, body: Array("hello".utf8))))
  }

  @Test("an answer that breaks off in its header has its status, which is how libcurl sees it")
  func endsInHeader() throws {
    let receiver = try Receiver(.answersOnce("HTTP/1.1 500 Broken\r\nContent-Len"))
    #expect(courier.deliver(receiver.address())?.outcome == .answered(Reply(status: 500)))
  }

  @Test(
    "an answer that is not whole, or no HTTP, is broken",
    arguments: [
      "", "\r\n\r\n", "hello\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/0.9 200 OK\r\n\r\n",
      "HTTP/9.1 200 OK\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nContent-Length: -9\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
      "HTTP/1.1 103 Early\r\n\r\n",
    ])
  func broken(answer: String) throws {
    let receiver = try Receiver(.answersOnce(answer))
    #expect(courier.deliver(receiver.address())?.outcome == .failed(.brokenAnswer), "\(answer)")
  }

  @Test("a host that hangs up breaks its answer, also in the middle of a long letter")
  func hangsUp() throws {
    let receiver = try Receiver(.hangsUp)
    for count in [0, 5_000_000] {
      let body = [UInt8](repeating: 65, count: count)
      #expect(
        courier.deliver(receiver.address(), body: body)?.outcome == .failed(.brokenAnswer))
    }
  }

  @Test(
    "the body is kept up to its limit, and what follows does no harm",
    arguments: [0, 1, 9, 10, 11, 5_000, 10 + Parcel.answerBytesExtra - 100])
  func longBodies(count: Int) throws {
    let courier = try Courier(CourierOptions(reachesPrivateAddresses: true, answerBytesMax: 10))
    let body = String((0..<count).map { Character(UnicodeScalar(UInt8(65 + $0 % 26))) })
    let head = "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n"
    let receiver = try Receiver(.answers(head + body))
    let reply = Reply(status: 200, body: Array(body.utf8.prefix(10)))
    for _ in 0..<2 { #expect(courier.deliver(receiver.address())?.outcome == .answered(reply)) }
    // An answer that was read to its end leaves the connection for the next letter.
    #expect(receiver.connections == 1)
  }

  @Test("an endless body is cut off, and the status counts")
  func endlessBody() throws {
    let receiver = try Receiver(
      .floods("HTTP/1.1 201 Made\r\nRetry-After: 4\r\n\r\n", filler: "ab"))
    let delivered = courier.deliver(receiver.address())
    let body = [UInt8]((0..<512).flatMap { _ in [97, 98] })
    #expect(
      delivered?.outcome == .answered(Reply(status: 201, retryAfterSeconds: 4, body: body)))
    #expect(delivered.map { $0.milliseconds < 10_000 } == true)
    #expect(isClosed(receiver))
  }

  @Test("an endless header with a status is cut off, and the status counts")
  func endlessHeader() throws {
    let receiver = try Receiver(.floods("HTTP/1.1 202 Taken\r\n", filler: "A: b\r\n"))
    #expect(courier.deliver(receiver.address())?.outcome == .answered(Reply(status: 202)))
    #expect(isClosed(receiver))
  }

  @Test(
    "an endless answer without a status is broken",
    arguments: [
      ("", "x"), ("HTTP/1.1 ", "2"), ("HTTP/1.1 200 OK\r\nA: ", "x"), ("", "\r\n"),
      ("", "HTTP/1.1 103 Early\r\n\r\n"),
    ])
  func endlessNothing(head: String, filler: String) throws {
    let receiver = try Receiver(.floods(head, filler: filler))
    #expect(courier.deliver(receiver.address())?.outcome == .failed(.brokenAnswer))
    #expect(isClosed(receiver))
  }

  /// Answers whether all connections of the receiver come to their end.
  private func isClosed(_ receiver: Receiver) -> Bool {
    let deadline = Deadline()
    while receiver.open > 0, !deadline.isOver {
      _ = courier.wait(milliseconds: 1, orReadable: -1)
    }
    return receiver.open == 0
  }
}
