/// The ways in which a peer broke RFC 6455, or wore out our patience, after the handshake.
package enum WebSocketFault: Error, Hashable, Sendable {
  case reservedBitSet
  case reservedOpcode
  case controlFrameFragmented
  case controlFrameTooLong
  case frameNotMasked
  case frameMasked
  case lengthNotMinimal
  case lengthAbove63Bits
  case messageTooBig
  case continuationWithoutStart
  case messageInsideMessage
  case textNotUTF8
  case compressionBroken
  case closePayloadOfOneByte
  case closeCodeNotAllowed
  case closeReasonNotUTF8
  /// A message comes in more pieces than its size explains.
  case fragmentsTooMany
  /// More pings and pongs come than anybody needs. A caller with a clock counts them.
  case controlFramesTooMany

  /// The code that the failing end sends (§7.4.1).
  package var closeCode: CloseCode {
    switch self {
    case .messageTooBig: .messageTooBig
    case .textNotUTF8, .closeReasonNotUTF8, .compressionBroken: .invalidPayload
    case .fragmentsTooMany, .controlFramesTooMany: .policyViolation
    case .reservedBitSet, .reservedOpcode, .controlFrameFragmented, .controlFrameTooLong,
      .frameNotMasked, .frameMasked, .lengthNotMinimal, .lengthAbove63Bits,
      .continuationWithoutStart, .messageInsideMessage, .closePayloadOfOneByte,
      .closeCodeNotAllowed:
      .protocolError
    }
  }

  /// The reason that travels with the code: one line of ASCII, under 60 bytes.
  package var sentence: String {
    switch self {
    case .reservedBitSet: "a reserved bit is set"
    case .reservedOpcode: "the opcode is reserved"
    case .controlFrameFragmented: "a control frame is fragmented"
    case .controlFrameTooLong: "a control frame is over 125 bytes"
    case .frameNotMasked: "a frame from the client is not masked"
    case .frameMasked: "a frame from the server is masked"
    case .lengthNotMinimal: "a length is not in its shortest form"
    case .lengthAbove63Bits: "a length has its highest bit set"
    case .messageTooBig: "the message is too big"
    case .continuationWithoutStart: "a continuation continues nothing"
    case .messageInsideMessage: "a message begins inside another"
    case .textNotUTF8: "a text message is not UTF-8"
    case .compressionBroken: "a compressed message is broken"
    case .closePayloadOfOneByte: "a close payload has one byte"
    case .closeCodeNotAllowed: "the close code is not allowed"
    case .closeReasonNotUTF8: "a close reason is not UTF-8"
    case .fragmentsTooMany: "the message has too many fragments"
    case .controlFramesTooMany: "there are too many pings and pongs"
    }
  }
}
