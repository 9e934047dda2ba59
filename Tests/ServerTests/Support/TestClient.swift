import Foundation
import Glibc

/// The failure of a call: the error answer, or the end of the connection.
enum TestFailure: Error, Equatable {
  case refused(kind: String, field: String?)
  case closed(code: Int)
  case lost
  case notJSON(String)
}

/// A WebSocket client of blocking calls. It has only as much of RFC 6455 as the tests need, and none of the server's
/// own code. It waits as `connectedSocket` says.
final class TestClient {
  private let socket: Int32
  private var buffer: [UInt8] = []
  private var numbers = 0
  /// The pushes that came while an answer was waited for.
  private(set) var pushes: [[String: Any]] = []
  private var answers: [Int: [String: Any]] = [:]

  init(_ url: String, receiveBufferBytes: Int32? = nil) throws {
    let address = url.dropFirst("ws://".count).prefix { $0 != "/" }
    let port = UInt16(address.split(separator: ":")[1]) ?? 0
    socket = try connectedSocket(port: port, receiveBufferBytes: receiveBufferBytes)
    write(
      Array(
        """
        GET /ws HTTP/1.1\r
        Host: \(address)\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Protocol: whattodo.v1\r
        \r\n
        """.utf8))
    let head = try readHead()
    guard head.contains(" 101 ") else { throw TestFailure.notJSON(head) }
  }

  deinit { close(socket) }

  // MARK: Requests

  /// Sends a request and waits for its answer. Throws an error answer.
  @discardableResult
  func call(_ method: String, _ params: [String: Any] = [:]) throws -> [String: Any] {
    try answer(to: send(method, params))
  }

  /// Sends a command with a key of its own, and waits for its answer.
  @discardableResult
  func change(_ method: String, _ params: [String: Any] = [:]) throws -> [String: Any] {
    try call(method, params.merging(["key": newID()]) { own, _ in own })
  }

  func send(_ method: String, _ params: [String: Any] = [:]) -> Int {
    numbers += 1
    send(["jsonrpc": "2.0", "id": numbers, "method": method, "params": params])
    return numbers
  }

  func send(_ message: [String: Any]) {
    guard let data = try? JSONSerialization.data(withJSONObject: message) else {
      preconditionFailure("not JSON: \(message)")
    }
    sendText(Array(data))
  }

  /// Sends a text frame, masked with zeros; with `opcode` 2 it is binary.
  func sendText(_ payload: [UInt8], opcode: UInt8 = 1) {
    var frame: [UInt8] = [0x80 | opcode]
    if payload.count < 126 {
      frame.append(0x80 | UInt8(payload.count))
    } else if payload.count < 65_536 {
      frame += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    } else {
      frame.append(0x80 | 127)
      frame += (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
    }
    write(frame + [0, 0, 0, 0] + payload)
  }

  func answer(to number: Int) throws -> [String: Any] {
    while answers[number] == nil { try receive() }
    let message = answers.removeValue(forKey: number) ?? [:]
    if let result = message["result"] as? [String: Any] { return result }
    throw failure(message)
  }

  /// Returns the next message, whatever it is; for answers without an id.
  func next() throws -> [String: Any] {
    let text = try readMessage()
    guard let value = try? JSONSerialization.jsonObject(with: Data(text)) as? [String: Any] else {
      throw TestFailure.notJSON(String(decoding: text, as: UTF8.self))
    }
    return value
  }

  func failure(_ message: [String: Any]) -> TestFailure {
    let data = (message["error"] as? [String: Any])?["data"] as? [String: Any]
    return .refused(kind: data?["kind"] as? String ?? "?", field: data?["field"] as? String)
  }

  // MARK: Pushes

  /// Waits for the first push that fits. It and everything before it is taken.
  @discardableResult
  func push(
    _ method: String, where fits: ([String: Any]) -> Bool = { _ in true }
  ) throws -> [String: Any] {
    while true {
      let index = pushes.firstIndex {
        $0["method"] as? String == method && fits($0["params"] as? [String: Any] ?? [:])
      }
      if let index {
        let found = pushes[index]["params"] as? [String: Any] ?? [:]
        pushes.removeFirst(index + 1)
        return found
      }
      try receive()
    }
  }

  /// Waits for the close frame, or the end of the socket. Returns the close code.
  func closeCode() -> Int {
    while true {
      do {
        try receive()
      } catch TestFailure.closed(let code) {
        return code
      } catch {
        return -1
      }
    }
  }

  private func receive() throws {
    let message = try next()
    if let id = message["id"] as? Int {
      answers[id] = message
    } else {
      pushes.append(message)
    }
  }

  // MARK: Bytes

  private func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private func readHead() throws -> String {
    while true {
      let text = String(decoding: buffer, as: UTF8.self)
      if let end = text.range(of: "\r\n\r\n") {
        let head = String(text[..<end.upperBound])
        buffer.removeFirst(head.utf8.count)
        return head
      }
      try fill()
    }
  }

  /// Returns the next text message. Answers pings, and throws at a close frame.
  private func readMessage() throws -> [UInt8] {
    while true {
      while buffer.count < 2 { try fill() }
      var header = 2
      var length = Int(buffer[1] & 0x7F)
      if length == 126 { header = 4 } else if length == 127 { header = 10 }
      while buffer.count < header { try fill() }
      if header > 2 { length = buffer[2..<header].reduce(0) { $0 << 8 | Int($1) } }
      while buffer.count < header + length { try fill() }
      let opcode = buffer[0] & 0x0F
      let payload = Array(buffer[header..<(header + length)])
      buffer.removeFirst(header + length)
      switch opcode {
      case 1: return payload
      case 8:
        throw TestFailure.closed(
          code: payload.count < 2 ? 1005 : Int(payload[0]) << 8 | Int(payload[1]))
      case 9: sendText(payload, opcode: 10)
      default: break
      }
    }
  }

  private func fill() throws {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = chunk.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
    guard count > 0 else { throw TestFailure.lost }
    buffer += chunk[..<count]
  }
}

func newID() -> String { Foundation.UUID().uuidString.lowercased() }
