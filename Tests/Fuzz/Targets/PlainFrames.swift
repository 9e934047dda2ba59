// RFC 6455 §5 to §7 and RFC 7692 §6 read a second time, from a whole stream and without thought of speed.

import Deflate
import WebSocket

/// A decoder that also echoes a stream as `FrameEnd` should.
struct PlainFrames {
  private let scene: FrameScene
  private(set) var events: [FrameEvent] = []
  private(set) var output: [UInt8] = []
  private var message: Message?
  private var hasClosed = false

  private struct Message {
    let kind: MessageKind
    let isCompressed: Bool
    var bytes: [UInt8] = []
    var continuations = -1
  }

  /// A broken rule, by its close code.
  private struct Fault: Error { let code: UInt16 }

  private struct Frame {
    let isFinal: Bool
    let isCompressed: Bool
    let opcode: UInt8
    /// The length that the header announces; `payload` is shorter when the stream ends before.
    let count: UInt64
    let payload: [UInt8]

    var isWhole: Bool { UInt64(payload.count) == count }
    var isControl: Bool { opcode >= 8 }
  }

  init(_ scene: FrameScene) {
    self.scene = scene
    closeIfDue()
  }

  /// Whether the stream ended the connection.
  var hasEnded: Bool {
    switch events.last {
    case .closed, .failed: true
    case .message, .ping, .pong, nil: false
    }
  }

  mutating func read(_ stream: [UInt8]) {
    var rest = stream[...]
    do throws(Fault) {
      while let frame = try takeFrame(&rest) {
        if let end = try take(frame) {
          tell(.closed(end))
          if !hasClosed { write(8, end.code.map { code($0.rawValue) } ?? []) }
          return
        }
      }
    } catch {
      tell(.failed(error.code))
      if !hasClosed { write(8, code(error.code)) }
    }
  }

  // MARK: Frames

  private func takeFrame(_ rest: inout ArraySlice<UInt8>) throws(Fault) -> Frame? {
    let bytes = Array(rest)
    guard bytes.count >= 2 else { return nil }
    let isMasked = bytes[1] >= 128
    let opcode = bytes[0] % 16
    let reserved = (bytes[0] / 16) % 8
    let isCompressed = reserved == 4 && scene.window != nil && [1, 2].contains(opcode)
    guard reserved == 0 || isCompressed, [0, 1, 2, 8, 9, 10].contains(opcode),
      isMasked == (scene.role == .server)
    else { throw Fault(code: 1002) }
    if opcode >= 8, bytes[0] < 128 || bytes[1] % 128 > 125 { throw Fault(code: 1002) }
    let extra = [126: 2, 127: 8][Int(bytes[1] % 128)] ?? 0
    let start = 2 + extra + (isMasked ? 4 : 0)
    guard bytes.count >= start else { return nil }
    let count = extra == 0 ? UInt64(bytes[1] % 128) : number(bytes[2..<2 + extra])
    if extra == 2, count < 126 { throw Fault(code: 1002) }
    if extra == 8, count < 65_536 || count > UInt64(Int64.max) { throw Fault(code: 1002) }
    try checkSize(opcode, count, isCompressed)
    let there = Int(min(count, UInt64(bytes.count - start)))
    var payload = Array(bytes[start..<start + there])
    if isMasked {
      for index in payload.indices { payload[index] ^= bytes[start - 4 + index % 4] }
    }
    rest = rest.dropFirst(start + there)
    return Frame(
      isFinal: bytes[0] >= 128, isCompressed: isCompressed, opcode: opcode, count: count,
      payload: payload)
  }

  /// Checks a data frame by its header alone. After our own close nobody wants the message.
  private func checkSize(_ opcode: UInt8, _ count: UInt64, _ isCompressed: Bool) throws(Fault) {
    guard opcode < 8, !hasClosed else { return }
    if (opcode == 0) != (message != nil) { throw Fault(code: 1002) }
    let before = message?.bytes.count ?? 0
    var bytesMax = scene.messageBytesMax
    if message?.isCompressed ?? isCompressed { bytesMax += bytesMax / 8 + 64 }
    if count > UInt64(bytesMax - before) { throw Fault(code: 1009) }
    if let message, message.continuations >= 1024 + message.bytes.count / 16 {
      throw Fault(code: 1008)
    }
  }

  /// Takes a frame. Returns the notice of a close frame, and nil for another one.
  private mutating func take(_ frame: Frame) throws(Fault) -> CloseNotice? {
    guard frame.isControl else {
      if !hasClosed { try takeData(frame) }
      return nil
    }
    guard frame.isWhole else { return nil }
    if frame.opcode == 8 { return try notice(frame.payload) }
    guard !hasClosed else { return nil }
    if frame.opcode == 9 { write(10, frame.payload) }
    tell(frame.opcode == 9 ? .ping(frame.payload) : .pong(frame.payload))
    return nil
  }

  private mutating func takeData(_ frame: Frame) throws(Fault) {
    var joined =
      message
      ?? Message(kind: frame.opcode == 1 ? .text : .binary, isCompressed: frame.isCompressed)
    joined.bytes += frame.payload
    joined.continuations += 1
    message = joined
    let isEnd = frame.isFinal && frame.isWhole
    if !joined.isCompressed { try checkText(joined.kind, joined.bytes, mayBeCut: !isEnd) }
    guard isEnd else { return }
    message = nil
    let payload = joined.isCompressed ? try inflated(joined) : joined.bytes
    write(joined.kind == .text ? 1 : 2, scene.payload(payload), isCompressed: scene.window != nil)
    tell(.message(joined.kind, payload))
  }

  private func checkText(
    _ kind: MessageKind, _ bytes: [UInt8], mayBeCut: Bool
  ) throws(Fault) {
    if kind == .text, !isUTF8(bytes, mayBeCut: mayBeCut) { throw Fault(code: 1007) }
  }

  /// Returns the decompressed message. Decompression itself has a target of its own.
  private func inflated(_ message: Message) throws(Fault) -> [UInt8] {
    let result = Result { () throws(InflateFault) in
      try Inflater().inflate(message.bytes.span, bytesMax: scene.messageBytesMax)
    }
    switch result {
    case .failure(.tooLong): throw Fault(code: 1009)
    case .failure(.broken): throw Fault(code: 1007)
    case .success(let bytes):
      try checkText(message.kind, bytes, mayBeCut: false)
      return bytes
    }
  }

  private func notice(_ payload: [UInt8]) throws(Fault) -> CloseNotice {
    if payload.isEmpty { return CloseNotice(code: nil, reason: []) }
    guard payload.count >= 2 else { throw Fault(code: 1002) }
    let code = UInt16(number(payload[..<2]))
    let isAllowed =
      (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].contains(code))
      || (code >= 3000 && code < 5000)
    guard isAllowed else { throw Fault(code: 1002) }
    guard isUTF8(Array(payload[2...]), mayBeCut: false) else { throw Fault(code: 1007) }
    return CloseNotice(code: CloseCode(rawValue: code), reason: Array(payload[2...]))
  }

  // MARK: Outcomes

  private mutating func tell(_ event: FrameEvent) {
    events.append(event)
    closeIfDue()
  }

  private mutating func closeIfDue() {
    guard events.count == scene.closesAfter, !hasClosed else { return }
    switch events.last {
    // The answer to the peer's close, or to its fault, is our only one.
    case .closed, .failed: return
    case .message, .ping, .pong, nil: break
    }
    write(8, code(1001) + Array("enough".utf8))
    hasClosed = true
    message = nil
  }

  private mutating func write(_ opcode: UInt8, _ payload: [UInt8], isCompressed: Bool = false) {
    output.append(128 + (isCompressed ? 64 : 0) + opcode)
    let maskBit: UInt8 = scene.role == .client ? 128 : 0
    if payload.count < 126 {
      output.append(maskBit + UInt8(payload.count))
    } else {
      let width = payload.count < 65_536 ? 2 : 8
      output.append(maskBit + (width == 2 ? 126 : 127))
      output += (0..<width).reversed().map { UInt8(payload.count >> ($0 * 8) & 255) }
    }
    guard scene.role == .client else {
      output += payload
      return
    }
    let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
    output += key
    output += payload.indices.map { payload[$0] ^ key[$0 % 4] }
  }

  private func code(_ code: UInt16) -> [UInt8] { [UInt8(code / 256), UInt8(code % 256)] }

  private func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 * 256 + UInt64($1) }
  }
}

/// Answers whether the bytes are Unicode (3.9): every scalar in its shortest form, no surrogates. A text that may be
/// cut may end inside a scalar that some further bytes would make right.
func isUTF8(_ bytes: [UInt8], mayBeCut: Bool) -> Bool {
  var rest = bytes[...]
  while let lead = rest.popFirst() {
    if lead < 0x80 { continue }
    let (more, least): (Int, UInt32)
    switch lead {
    case 0xC0..<0xE0: (more, least) = (1, 0x80)
    case 0xE0..<0xF0: (more, least) = (2, 0x800)
    case 0xF0..<0xF8: (more, least) = (3, 0x1_0000)
    default: return false
    }
    let tail = rest.prefix(more).prefix { $0 & 0xC0 == 0x80 }
    rest = rest.dropFirst(tail.count)
    if tail.count < more, !(mayBeCut && rest.isEmpty) { return false }
    // These are the scalars that may still come of it.
    let missing = UInt32(6 * (more - tail.count))
    let bits = tail.reduce(UInt32(lead) & (0x3F >> UInt32(more))) { $0 << 6 | UInt32($1 & 0x3F) }
    let (low, high) = (bits << missing, (bits + 1) << missing - 1)
    let canBe =
      max(low, least) <= min(high, 0xD7FF)
      || max(low, max(least, 0xE000)) <= min(high, 0x10_FFFF)
    if !canBe { return false }
  }
  return true
}
