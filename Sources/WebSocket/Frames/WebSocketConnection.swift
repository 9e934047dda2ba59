// One end of a connection after its handshake: RFC 6455 §5–§8, with permessage-deflate (RFC 7692) if that was agreed,
// for both roles.
//
// Bytes go in, steps come out. The machine never writes by itself. A step says what is due (a pong, the answer to a
// close, the close after a fault), and the caller orders it with a `write` method, which appends to the caller's
// output. So everything that is due in a turn leaves in one system call.
//
//   state           reads               writes               leaves by
//   open            everything          everything           a close either way, or a fault
//   closeSent       only a close        nothing              the peer's close, or a fault -> closed
//   closeReceived   nothing             our close            `writeClose` -> closed
//   failed          nothing             our close            `writeClose` -> closed
//   closed          nothing             nothing              -
//
// After our own close the peer may still be in the middle of messages (§1.4). They are read over, kept nowhere and
// handed to nobody, so that a connection that was told to go cannot change anything.
//
// A message that lies whole and unfragmented in the caller's buffer stays there. Only a frame that is not all there
// yet, or a fragment, is copied, and never more of it than has arrived, so an announced length alone costs no memory. A
// length that would exceed the limit is refused by its header. Fragments that carry next to nothing cost time instead:
// a message may have `fragmentsFree` of them, and one more for every `fragmentBytes` that came.
//
// A compressed message is collected as it comes and decompressed when it is whole, by an inflater that the caller
// lends, because it belongs to a thread and not to a connection. The limit is that of the message. The collected bytes
// may be an eighth longer, because the worst encoding of DEFLATE takes as much.

package import Deflate

/// A result of `WebSocketConnection.next`.
package enum WebSocketStep: Sendable, Hashable {
  /// All bytes are used up, and an unfinished part is kept in the machine. Read more.
  case needMore
  /// A whole message that lies, unmasked and checked, at this range of the caller's buffer: nothing was copied. It is
  /// valid until the caller overwrites the buffer.
  case message(MessageKind, Range<Int>)
  /// A whole message that came compressed, in several reads or in fragments. The array is the caller's now.
  case joinedMessage(MessageKind, [UInt8])
  /// A ping with at most 125 bytes. Answer with `writePong` and this payload (§5.5.2).
  case ping([UInt8])
  /// The answer to a ping, or an unasked one (§5.5.3), at most 125 bytes.
  case pong([UInt8])
  /// The peer closes. Answer with `writeClose(notice.code)`. If the peer only answered ours (`state` is `.closed`),
  /// that writes nothing. No further input is processed.
  case closed(CloseNotice)
  /// The peer broke the protocol. Send `writeClose(fault.closeCode, reason: fault.sentence)` and drop the connection
  /// (§7.1.7). No further input is processed.
  case failed(WebSocketFault)
}

/// One end of one WebSocket connection after its handshake.
package struct WebSocketConnection: Sendable {
  /// The stage of the connection (table at the top of the file).
  package enum State: Sendable, Hashable {
    case open
    case closeSent
    case closeReceived
    case failed
    case closed
  }

  /// The present stage, which says what is still read and written. Only `next` and `writeClose` change it.
  package private(set) var state: State = .open
  /// The end of the connection that this machine is.
  package let role: WebSocketRole
  private let messageBytesMax: Int
  /// The agreement on compression. Nil when there is none.
  package let deflate: DeflateAgreement?
  private var partialHeader = PartialHeader()
  private var frame: OpenFrame?
  private var message: OpenMessage?
  /// The payload so far of a control frame that is not all there.
  private var control: [UInt8] = []

  /// A frame whose header is read and whose payload is not.
  private struct OpenFrame: Sendable {
    let opcode: Opcode
    let isFinal: Bool
    var remaining: Int
    var mask: MaskKey
  }

  /// A data message whose last frame has not ended.
  private struct OpenMessage: Sendable {
    let kind: MessageKind
    var isCompressed = false
    var bytes: [UInt8] = []
    /// The number of continuation frames so far.
    var continuations = 0
    var text = UTF8Checker()

    mutating func take(_ payload: Span<UInt8>) throws(WebSocketFault) {
      if kind == .text && !isCompressed && !text.accepts(payload) { throw .textNotUTF8 }
      bytes.append(contentsOf: payload)
    }
  }

  /// The number of continuation frames that a message may have whatever it carries. Nobody who streams sends so many.
  package static let fragmentsFree = 1024
  /// The bytes that earn a message one more continuation frame. Autobahn streams 64 at a time.
  package static let fragmentBytes = 16

  /// Begins after the handshake. `messageBytesMax` bounds the payload of one message over all its fragments: a header
  /// that exceeds it fails with 1009, before memory is taken. A compressed message is bounded before and after it is
  /// decompressed.
  package init(
    role: WebSocketRole, messageBytesMax: Int, deflate: DeflateAgreement? = nil
  ) {
    self.role = role
    self.messageBytesMax = messageBytesMax
    self.deflate = deflate
  }

  /// Whether a frame or a message is unfinished. An idle connection without one owns no memory.
  package var isInsideMessage: Bool { frame != nil || message != nil || !partialHeader.isEmpty }

  /// Reads on at `position`, never past `end`, unmasking in place. It stops after one step.
  ///
  /// Call it until it answers `.needMore`, `.closed` or `.failed`. After the last two it eats everything and answers
  /// `.needMore`. It costs about 20 ns for a whole message of 64 bytes.
  /// - Precondition: there is an inflater if compression was agreed on.
  package mutating func next(
    in bytes: inout MutableSpan<UInt8>, at position: inout Int, end: Int, inflater: Inflater? = nil
  ) -> WebSocketStep {
    do throws(WebSocketFault) {
      while state == .open || state == .closeSent {
        if let step = try advance(in: &bytes, at: &position, end: end, inflater) { return step }
      }
      position = end
      return .needMore
    } catch {
      position = end
      state = state == .closeSent ? .closed : .failed
      forgetInput()
      return .failed(error)
    }
  }

  /// Goes one frame further, or as far as the bytes reach. Nil when the caller need not know.
  private mutating func advance(
    in bytes: inout MutableSpan<UInt8>, at position: inout Int, end: Int, _ inflater: Inflater?
  ) throws(WebSocketFault) -> WebSocketStep? {
    if frame == nil {
      guard let header = try nextHeader(in: bytes.span, at: &position, end: end) else {
        return .needMore
      }
      if let step = try begin(header, in: &bytes, at: &position, end: end, inflater) {
        return step
      }
    }
    return try readPayload(in: &bytes, at: &position, end: end, inflater)
  }

  private mutating func nextHeader(in bytes: Span<UInt8>, at position: inout Int, end: Int)
    throws(WebSocketFault) -> FrameHeader?
  {
    if partialHeader.isEmpty,
      let header = try FrameHeader.parse(
        bytes, at: position, end: end, role: role, mayCompress: deflate != nil)
    {
      position &+= header.headerBytes
      return header
    }
    return try partialHeader.complete(
      from: bytes, at: &position, end: end, role: role, mayCompress: deflate != nil)
  }

  /// Hands out a message that lies whole in the buffer. Any other frame becomes the open frame.
  private mutating func begin(
    _ header: FrameHeader, in bytes: inout MutableSpan<UInt8>, at position: inout Int, end: Int,
    _ inflater: Inflater?
  ) throws(WebSocketFault) -> WebSocketStep? {
    if !header.opcode.isControl && state == .open {
      try checkOrderAndSize(header)
      if header.opcode == .continuation {
        message?.continuations &+= 1
      } else {
        let kind: MessageKind = header.opcode == .text ? .text : .binary
        if header.isFinal && header.payloadBytes <= end &- position {
          return try wholeMessage(kind, header, in: &bytes, at: &position, inflater)
        }
        message = OpenMessage(kind: kind, isCompressed: header.isCompressed)
      }
    }
    frame = OpenFrame(
      opcode: header.opcode, isFinal: header.isFinal, remaining: header.payloadBytes,
      mask: header.mask)
    return nil
  }

  /// Checks that fragments of different messages do not mix (§5.4), and the limits of a message.
  private func checkOrderAndSize(_ header: FrameHeader) throws(WebSocketFault) {
    let isContinuation = header.opcode == .continuation
    guard let message else {
      if isContinuation { throw .continuationWithoutStart }
      if header.payloadBytes > payloadBytesMax(header.isCompressed) { throw .messageTooBig }
      return
    }
    guard isContinuation else { throw .messageInsideMessage }
    let room = payloadBytesMax(message.isCompressed) &- message.bytes.count
    if header.payloadBytes > room { throw .messageTooBig }
    let earned = message.bytes.count / WebSocketConnection.fragmentBytes
    if message.continuations >= WebSocketConnection.fragmentsFree &+ earned {
      throw .fragmentsTooMany
    }
  }

  /// Returns the limit of a payload. Compressed, a byte takes at most 9 bits (RFC 1951 §3.2.6), and a few bits go to
  /// the ends of blocks.
  private func payloadBytesMax(_ isCompressed: Bool) -> Int {
    isCompressed ? messageBytesMax &+ messageBytesMax / 8 &+ 64 : messageBytesMax
  }

  private func wholeMessage(
    _ kind: MessageKind, _ header: FrameHeader, in bytes: inout MutableSpan<UInt8>,
    at position: inout Int, _ inflater: Inflater?
  ) throws(WebSocketFault) -> WebSocketStep {
    let range = position..<(position &+ header.payloadBytes)
    position = range.upperBound
    if role == .server { header.mask.apply(to: &bytes, at: range) }
    if header.isCompressed {
      return try inflated(kind, bytes.span.extracting(range), inflater)
    }
    if kind == .text && !UTF8Checker.isWhole(bytes.span.extracting(range)) { throw .textNotUTF8 }
    return .message(kind, range)
  }

  /// Decompresses a message (RFC 7692 §7.2.2). A text is UTF-8 only after that (§6.2).
  private func inflated(
    _ kind: MessageKind, _ payload: Span<UInt8>, _ inflater: Inflater?
  ) throws(WebSocketFault) -> WebSocketStep {
    guard let inflater else { preconditionFailure("compression is agreed on with an inflater") }
    let message: [UInt8]
    do throws(InflateFault) {
      message = try inflater.inflate(payload, bytesMax: messageBytesMax)
    } catch {
      switch error {
      case .tooLong: throw .messageTooBig
      case .broken: throw .compressionBroken
      }
    }
    if kind == .text && !UTF8Checker.isWhole(message.span) { throw .textNotUTF8 }
    return .joinedMessage(kind, message)
  }

  private mutating func readPayload(
    in bytes: inout MutableSpan<UInt8>, at position: inout Int, end: Int, _ inflater: Inflater?
  ) throws(WebSocketFault) -> WebSocketStep? {
    guard var current = frame else { return nil }
    let count = min(current.remaining, end &- position)
    let range = position..<(position &+ count)
    position = range.upperBound
    if role == .server { current.mask.apply(to: &bytes, at: range) }
    let payload = bytes.span.extracting(range)
    if current.opcode.isControl {
      control.append(contentsOf: payload)
    } else {
      // After our own close there is no message, and the payload is read over.
      try message?.take(payload)
    }
    current.mask = current.mask.advanced(by: count)
    current.remaining &-= count
    guard current.remaining == 0 else {
      frame = current
      return .needMore
    }
    frame = nil
    return try finish(current, inflater)
  }

  private mutating func finish(
    _ ended: OpenFrame, _ inflater: Inflater?
  ) throws(WebSocketFault) -> WebSocketStep? {
    switch ended.opcode {
    case .text, .binary, .continuation:
      guard ended.isFinal, let whole = message else { return nil }
      message = nil
      if whole.isCompressed { return try inflated(whole.kind, whole.bytes.span, inflater) }
      guard whole.text.isComplete else { throw .textNotUTF8 }
      return .joinedMessage(whole.kind, whole.bytes)
    case .close:
      let notice = try CloseNotice(payload: takeControl())
      state = state == .closeSent ? .closed : .closeReceived
      forgetInput()
      return .closed(notice)
    case .ping:
      let payload = takeControl()
      return state == .open ? .ping(payload) : nil
    case .pong:
      let payload = takeControl()
      return state == .open ? .pong(payload) : nil
    }
  }

  private mutating func takeControl() -> [UInt8] {
    let payload = control
    control = []
    return payload
  }

  private mutating func forgetInput() {
    frame = nil
    message = nil
    control = []
    partialHeader = PartialHeader()
  }
}

extension WebSocketConnection {
  /// Appends a whole message as one frame; nothing unless `state` is `.open`.
  ///
  /// With `isCompressed` the payload is the message as a `Deflater` compressed it, with the window of `deflate`. A
  /// client must give `mask` and a server ignores it, here and below: fresh random bits for every frame (§5.3).
  package func writeMessage(
    _ kind: MessageKind, _ payload: Span<UInt8>, isCompressed: Bool = false,
    mask: MaskKey? = nil, to output: inout [UInt8]
  ) {
    guard state == .open else { return }
    precondition(!isCompressed || deflate != nil, "compression was not agreed on")
    let opcode: Opcode = kind == .text ? .text : .binary
    FrameWriter.append(
      opcode, payload, isCompressed: isCompressed, mask: ownMask(mask), to: &output)
  }

  /// Appends a ping; nothing unless `state` is `.open`.
  /// - Precondition: at most 125 bytes.
  package func writePing(_ payload: [UInt8], mask: MaskKey? = nil, to output: inout [UInt8]) {
    guard state == .open else { return }
    FrameWriter.append(.ping, payload.span, mask: ownMask(mask), to: &output)
  }

  /// Appends a pong; nothing unless `state` is `.open`.
  /// - Precondition: at most 125 bytes.
  package func writePong(_ payload: [UInt8], mask: MaskKey? = nil, to output: inout [UInt8]) {
    guard state == .open else { return }
    FrameWriter.append(.pong, payload.span, mask: ownMask(mask), to: &output)
  }

  /// Appends our close frame, once, and moves the state. Nothing can be written after it.
  ///
  /// The reason is cut to 123 bytes at the end of a character. Without a code the frame is empty.
  /// - Precondition: the code is allowed on the wire.
  package mutating func writeClose(
    _ code: CloseCode?, reason: String = "", mask: MaskKey? = nil, to output: inout [UInt8]
  ) {
    switch state {
    case .open: state = .closeSent
    case .closeReceived, .failed: state = .closed
    case .closeSent, .closed: return
    }
    message = nil
    let payload = CloseNotice.payload(code, reason: reason)
    FrameWriter.append(.close, payload.span, mask: ownMask(mask), to: &output)
  }

  private func ownMask(_ mask: MaskKey?) -> MaskKey? {
    switch role {
    case .server: return nil
    case .client:
      precondition(mask != nil, "a client masks every frame")
      return mask
    }
  }
}
