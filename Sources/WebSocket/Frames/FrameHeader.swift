// The base framing of RFC 6455 §5.2:
//
//   byte 0      FIN, RSV1–3, opcode        byte 1   MASK, length 0–125, or 126, or 127
//   then        16 bits of length after 126, 64 bits after 127, big-endian, in the shortest form
//   then        4 bytes of masking key if MASK
//
// RSV1 of a message's first frame says that the message is compressed, if that was agreed (RFC 7692 §6). Anywhere else
// a reserved bit is refused.
//
// A frame that can be refused by its first two bytes is refused before the rest has come.

/// One frame's header, checked by itself. The connection checks it against the frames before it.
struct FrameHeader: Sendable {
  let opcode: Opcode
  let isFinal: Bool
  let isCompressed: Bool
  let payloadBytes: Int
  /// The masking key. It is zero from a server, where nobody applies it.
  let mask: MaskKey
  /// The bytes of the header itself, 2 to 14.
  let headerBytes: Int

  static let bytesMax = 14
  /// The bit RSV1.
  static let compressedBit: UInt8 = 0x40

  /// Reads a header. Nil while bytes are missing. `role` is the receiver's. Throws when the first two bytes or the
  /// length break the protocol.
  static func parse(
    _ bytes: Span<UInt8>, at start: Int, end: Int, role: WebSocketRole, mayCompress: Bool
  ) throws(WebSocketFault) -> FrameHeader? {
    guard end &- start >= 2 else { return nil }
    let first = bytes[start]
    let second = bytes[start &+ 1]
    let opcode = try checkedOpcode(first, second, role, mayCompress)
    let shortLength = Int(second & 0x7F)
    let lengthBytes = shortLength < 126 ? 0 : shortLength == 126 ? 2 : 8
    let isMasked = role == .server
    let headerBytes = 2 &+ lengthBytes &+ (isMasked ? 4 : 0)
    guard end &- start >= headerBytes else { return nil }
    var length = UInt64(shortLength)
    if lengthBytes > 0 {
      length =
        lengthBytes == 2
        ? bigEndian(bytes, at: start &+ 2, count: 2) : bigEndian(bytes, at: start &+ 2, count: 8)
      guard length >> 63 == 0 else { throw .lengthAbove63Bits }
      guard length > (lengthBytes == 2 ? 125 : 0xFFFF) else { throw .lengthNotMinimal }
    }
    let mask = isMasked ? bigEndian(bytes, at: start &+ headerBytes &- 4, count: 4) : 0
    return FrameHeader(
      opcode: opcode, isFinal: first & 0x80 != 0, isCompressed: first & compressedBit != 0,
      payloadBytes: Int(truncatingIfNeeded: length),
      mask: MaskKey(bits: UInt32(truncatingIfNeeded: mask)), headerBytes: headerBytes)
  }

  private static func checkedOpcode(
    _ first: UInt8, _ second: UInt8, _ role: WebSocketRole, _ mayCompress: Bool
  ) throws(WebSocketFault) -> Opcode {
    guard first & 0x70 == 0 || (first & 0x70 == compressedBit && mayCompress) else {
      throw .reservedBitSet
    }
    guard let opcode = Opcode(rawValue: first & 0x0F) else { throw .reservedOpcode }
    if first & compressedBit != 0 && (opcode.isControl || opcode == .continuation) {
      throw .reservedBitSet
    }
    switch role {
    case .server: guard second & 0x80 != 0 else { throw .frameNotMasked }
    case .client: guard second & 0x80 == 0 else { throw .frameMasked }
    }
    if opcode.isControl {
      guard first & 0x80 != 0 else { throw .controlFrameFragmented }
      guard second & 0x7F <= 125 else { throw .controlFrameTooLong }
    }
    return opcode
  }

  @inline(__always)
  private static func bigEndian(_ bytes: Span<UInt8>, at start: Int, count: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<count { value = value &<< 8 | UInt64(bytes[start &+ index]) }
    return value
  }
}

/// The first bytes of a header that is not all there yet. They lie inline, so that an idle connection owns no memory
/// for them.
struct PartialHeader: Sendable {
  private var bytes = InlineArray<14, UInt8>(repeating: 0)
  private var count: UInt8 = 0

  var isEmpty: Bool { count == 0 }

  /// Takes bytes from `position` until a header is complete. Nil when there were too few.
  mutating func complete(
    from input: Span<UInt8>, at position: inout Int, end: Int, role: WebSocketRole,
    mayCompress: Bool
  ) throws(WebSocketFault) -> FrameHeader? {
    while position < end {
      bytes[Int(count)] = input[position]
      count &+= 1
      position &+= 1
      if let header = try FrameHeader.parse(
        bytes.span, at: 0, end: Int(count), role: role, mayCompress: mayCompress)
      {
        count = 0
        return header
      }
    }
    return nil
  }
}
