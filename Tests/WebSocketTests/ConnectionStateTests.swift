import Testing
import WebSocket

private let mask = MaskKey(bits: 0x0102_0304)

/// Returns the bytes that one end writes in one go.
private func bytes(_ write: (inout [UInt8]) -> Void) -> [UInt8] {
  var output: [UInt8] = []
  write(&output)
  return output
}

private func connection(_ role: WebSocketRole) -> WebSocketConnection {
  WebSocketConnection(role: role, messageBytesMax: 1000)
}

/// A frame as the other end of `role` would write it.
private func frame(
  to role: WebSocketRole, _ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true
)
  -> [UInt8]
{
  bytes {
    FrameWriter.append(
      opcode, payload.span, isFinal: isFinal, mask: role == .server ? mask : nil, to: &$0)
  }
}

private let roles: [WebSocketRole] = [.server, .client]

@Suite("RFC 6455 §7.1 the closing handshake")
struct ClosingTests {
  @Test("the peer closes first", arguments: roles)
  func peerFirst(_ role: WebSocketRole) {
    var own = connection(role)
    let seen = feed(frame(to: role, .close, [0x03, 0xE8])[...], to: &own)
    #expect(seen == [.closed(CloseNotice(code: .normal, reason: []))])
    #expect(own.state == .closeReceived)
    #expect(bytes { own.writeMessage(.text, [0x61].span, mask: mask, to: &$0) } == [])
    #expect(bytes { own.writePing([], mask: mask, to: &$0) } == [])
    let answer = bytes { own.writeClose(.normal, mask: mask, to: &$0) }
    #expect(answer.count == (role == .server ? 4 : 8))
    #expect(own.state == .closed)
    #expect(bytes { own.writeClose(.normal, mask: mask, to: &$0) } == [])
  }

  @Test("we close first", arguments: roles)
  func ownFirst(_ role: WebSocketRole) {
    var own = connection(role)
    #expect(bytes { own.writeClose(.goingAway, reason: "later", mask: mask, to: &$0) } != [])
    #expect(own.state == .closeSent)
    #expect(bytes { own.writeClose(.normal, mask: mask, to: &$0) } == [])
    #expect(bytes { own.writePong([], mask: mask, to: &$0) } == [])
    let seen = feed(frame(to: role, .close, [0x03, 0xE9])[...], to: &own)
    #expect(seen == [.closed(CloseNotice(code: .goingAway, reason: []))])
    #expect(own.state == .closed)
    #expect(bytes { own.writeClose(.goingAway, mask: mask, to: &$0) } == [])
  }

  @Test("after our close the peer's messages are read over, whatever they are", arguments: roles)
  func deaf(_ role: WebSocketRole) {
    let late =
      frame(to: role, .text, [0x61]) + frame(to: role, .ping, [1]) + frame(to: role, .pong, [2])
      + frame(to: role, .binary, Array(repeating: 7, count: 5000))
      + frame(to: role, .text, [0xFF], isFinal: false) + frame(to: role, .continuation, [0x62])
    let stream = late + frame(to: role, .close, [0x03, 0xE8])
    for pieces in [[stream[...]], stream.bytewise, stream.inChunks(of: 7)] {
      var own = connection(role)
      _ = bytes { own.writeClose(.normal, mask: mask, to: &$0) }
      #expect(
        pieces.flatMap { feed($0, to: &own) }
          == [.closed(CloseNotice(code: .normal, reason: []))])
      #expect(own.state == .closed)
    }
  }

  @Test("our close in the middle of the peer's message", arguments: roles)
  func inTheMiddle(_ role: WebSocketRole) {
    let start = frame(to: role, .text, [0x61, 0x62], isFinal: false)
    let rest = frame(to: role, .continuation, [0x63, 0x64, 0x65])
    let stream = start + rest + frame(to: role, .close, [])
    for cut in 1..<(start.count + rest.count) {
      var own = connection(role)
      #expect(feed(stream[..<cut], to: &own) == [])
      #expect(own.isInsideMessage)
      _ = bytes { own.writeClose(.normal, mask: mask, to: &$0) }
      #expect(feed(stream[cut...], to: &own) == [.closed(CloseNotice(code: nil, reason: []))])
      #expect(!own.isInsideMessage)
    }
  }

  @Test("both close at once", arguments: roles)
  func both(_ role: WebSocketRole) {
    var server = connection(.server)
    var client = connection(.client)
    let fromServer = bytes { server.writeClose(.goingAway, to: &$0) }
    let fromClient = bytes { client.writeClose(.normal, mask: mask, to: &$0) }
    _ = feed(fromClient[...], to: &server)
    _ = feed(fromServer[...], to: &client)
    #expect(server.state == .closed)
    #expect(client.state == .closed)
  }

  @Test("a fault leaves one close frame to write, then nothing", arguments: roles)
  func fault(_ role: WebSocketRole) {
    var own = connection(role)
    #expect(feed([0xF1, 0x80, 0, 0, 0, 0][...], to: &own) == [.failed(1002)])
    #expect(own.state == .failed)
    #expect(feed(frame(to: role, .text, [0x61])[...], to: &own) == [])
    #expect(bytes { own.writeMessage(.text, [0x61].span, mask: mask, to: &$0) } == [])
    let fault = WebSocketFault.reservedBitSet
    let close = bytes {
      own.writeClose(fault.closeCode, reason: fault.sentence, mask: mask, to: &$0)
    }
    let told = CloseNotice(code: .protocolError, reason: Array(fault.sentence.utf8))
    #expect(events(of: [close[...]], role: role == .server ? .client : .server) == [.closed(told)])
    #expect(own.state == .closed)
    #expect(bytes { own.writeClose(.normal, mask: mask, to: &$0) } == [])
  }

  @Test("a fault after our close leaves nothing to write", arguments: roles)
  func faultWhileClosing(_ role: WebSocketRole) {
    var own = connection(role)
    _ = bytes { own.writeClose(.normal, mask: mask, to: &$0) }
    #expect(feed([0xF1, 0x80][...], to: &own) == [.failed(1002)])
    #expect(own.state == .closed)
    #expect(bytes { own.writeClose(.protocolError, mask: mask, to: &$0) } == [])
  }
}

@Suite("RFC 6455 §7.4 close codes, all 65 536 of them")
struct CloseCodeTests {
  private func isListed(_ code: Int) -> Bool {
    (1000...1003).contains(code) || (1007...1014).contains(code) || (3000...4999).contains(code)
  }

  @Test("received", arguments: roles)
  func received(_ role: WebSocketRole) {
    for code in 0...65_535 {
      var own = connection(role)
      let payload = [UInt8(code >> 8), UInt8(code & 0xFF)]
      let seen = feed(frame(to: role, .close, payload)[...], to: &own)
      let notice = CloseNotice(code: CloseCode(rawValue: UInt16(code)), reason: [])
      if seen != [isListed(code) ? .closed(notice) : .failed(1002)] {
        Issue.record("\(code): \(seen)")
      }
    }
  }

  @Test("every fault has its code and a reason that fits")
  func faults() {
    let faults: [WebSocketFault: CloseCode] = [
      .reservedBitSet: .protocolError, .reservedOpcode: .protocolError,
      .controlFrameFragmented: .protocolError, .controlFrameTooLong: .protocolError,
      .frameNotMasked: .protocolError, .frameMasked: .protocolError,
      .lengthNotMinimal: .protocolError, .lengthAbove63Bits: .protocolError,
      .messageTooBig: .messageTooBig, .continuationWithoutStart: .protocolError,
      .messageInsideMessage: .protocolError, .textNotUTF8: .invalidPayload,
      .closePayloadOfOneByte: .protocolError, .closeCodeNotAllowed: .protocolError,
      .closeReasonNotUTF8: .invalidPayload, .fragmentsTooMany: .policyViolation,
      .controlFramesTooMany: .policyViolation,
    ]
    for (fault, code) in faults {
      #expect(fault.closeCode == code)
      #expect((1...60).contains(fault.sentence.utf8.count))
    }
  }

  @Test(
    "a reason is cut to 123 bytes at the end of a character",
    arguments: [
      (String(repeating: "r", count: 122), 122), (String(repeating: "r", count: 123), 123),
      (String(repeating: "r", count: 124), 123), (String(repeating: "ä", count: 62), 122),
      (String(repeating: "€", count: 41), 123), (String(repeating: "€", count: 42), 123),
      (String(repeating: "😀", count: 31), 120), ("r" + String(repeating: "😀", count: 40), 121),
    ])
  func longReason(_ reason: String, _ count: Int) {
    var own = connection(.server)
    let written = bytes { own.writeClose(.normal, reason: reason, to: &$0) }
    let cut = Array(reason.utf8.prefix(count))
    #expect(
      events(of: [written[...]], role: .client)
        == [.closed(CloseNotice(code: .normal, reason: cut))])
  }
}

@Suite("A mistake of the caller stops the program")
struct PreconditionTests {
  @Test("a control payload of 126 bytes")
  func longPing() async {
    await #expect(processExitsWith: .failure) {
      var output: [UInt8] = []
      WebSocketConnection(role: .server, messageBytesMax: 1)
        .writePing(Array(repeating: 0, count: 126), to: &output)
    }
  }

  @Test("a client's frame without a masking key")
  func noMask() async {
    await #expect(processExitsWith: .failure) {
      var output: [UInt8] = []
      WebSocketConnection(role: .client, messageBytesMax: 1).writePing([], to: &output)
    }
  }

  @Test("a close code that never stands in a frame")
  func badCode() async {
    await #expect(processExitsWith: .failure) {
      var output: [UInt8] = []
      var own = WebSocketConnection(role: .server, messageBytesMax: 1)
      own.writeClose(CloseCode(rawValue: 1006), to: &output)
    }
  }
}
