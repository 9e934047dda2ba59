// Frames in both roles. An input is two knobs and the peer's bytes.
//
//   knob 0   bit 0: role; bits 1–2: message limit; bit 3: we close after some events; bit 4: compression
//            is agreed on; bit 5: with it, in the window of 9 bits
//   knob 1   how the stream is cut, and after how many events we close
//
// Promises: the events are those of the plain decoder, however the stream is cut. Every pong, echo and close is the
// frame that the plain encoder writes. After the end nothing is told and nothing written.

import Deflate
import WebSocket

/// An event that a connection told its owner; a fault by its close code.
enum FrameEvent: Hashable {
  case message(MessageKind, [UInt8])
  case ping([UInt8])
  case pong([UInt8])
  case closed(CloseNotice)
  case failed(UInt16)
}

struct FrameScene {
  let role: WebSocketRole
  let messageBytesMax: Int
  /// The number of events after which our own close goes out; nil for never.
  var closesAfter: Int?
  /// The window by which our messages are compressed; nil when compression was not agreed on.
  var window: DeflateWindow?

  /// Returns the payload of a message as it stands in our frame.
  func payload(_ message: [UInt8]) -> [UInt8] {
    guard let window else { return message }
    var payload: [UInt8] = []
    Deflater(window: window).compress(message.span, to: &payload)
    return payload
  }

  var mask: MaskKey? { role == .client ? MaskKey(bits: 0x37FA_213D) : nil }
}

func fuzzFrames(_ bytes: [UInt8]) throws(Finding) {
  guard let input = FuzzInput(bytes, knobs: 2) else { return }
  let scene = FrameScene(
    role: input.knobs[0] & 1 == 0 ? .server : .client,
    messageBytesMax: [30, 125, 1000, 70_000][Int(input.knobs[0] >> 1) & 3],
    closesAfter: input.knobs[0] & 8 == 0 ? nil : Int(input.knobs[1] & 3),
    window: input.knobs[0] & 16 == 0 ? nil : input.knobs[0] & 32 == 0 ? .bits15 : .bits9)
  var plain = PlainFrames(scene)
  plain.read(input.stream)
  for pieces in input.stream.cuts(seed: input.knobs[1]) {
    var end = FrameEnd(scene)
    for piece in pieces { try end.receive(piece) }
    try promiseEqual(end.events, plain.events, "the events of \(pieces.count) pieces")
    try promiseEqual(end.output, plain.output, "what is written to \(pieces.count) pieces")
    try end.saysNothingMore()
  }
}

/// One end of a connection that echoes, as a loop would drive it.
struct FrameEnd {
  private let scene: FrameScene
  private var connection: WebSocketConnection
  private(set) var events: [FrameEvent] = []
  private(set) var output: [UInt8] = []
  /// One inflater for all pieces, as a loop has it.
  private let inflater = Inflater()

  init(_ scene: FrameScene) {
    self.scene = scene
    connection = WebSocketConnection(
      role: scene.role, messageBytesMax: scene.messageBytesMax,
      deflate: scene.window.map { DeflateAgreement(sendWindow: $0) })
    closeIfDue()
  }

  mutating func receive(_ piece: ArraySlice<UInt8>) throws(Finding) {
    // These are bytes around the piece, which the machine must neither read nor change.
    let rim: [UInt8] = [0xAA, 0x55, 0xFF, 0x00, 0x88]
    var buffer = rim + piece + rim
    let end = rim.count + piece.count
    var position = rim.count
    while let event = try next(&buffer, &position, end) {
      try promise(!hasEnded, "an event after the end: \(event)")
      events.append(event)
      answer(event)
      closeIfDue()
    }
    try promise(position == end, "bytes were left unread")
    try promise(buffer.starts(with: rim) && buffer.suffix(5) == rim[...], "bytes beside the piece")
  }

  /// Checks that bytes and orders have no effect once the connection is over.
  mutating func saysNothingMore() throws(Finding) {
    guard hasEnded else { return }
    let (events, output) = (events, output)
    try receive([0x89, 0x00, 0x81, 0x81, 0, 0, 0, 0, 0x41, 0x88, 0x00][...])
    connection.writeMessage(.text, [0x41].span, mask: scene.mask, to: &self.output)
    connection.writePing([], mask: scene.mask, to: &self.output)
    connection.writePong([], mask: scene.mask, to: &self.output)
    connection.writeClose(.normal, mask: scene.mask, to: &self.output)
    try promiseEqual(self.events, events, "events after the end")
    try promiseEqual(self.output, output, "bytes written after the end")
  }

  private var hasEnded: Bool {
    switch events.last {
    case .closed, .failed: true
    case .message, .ping, .pong, nil: false
    }
  }

  private mutating func next(
    _ buffer: inout [UInt8], _ position: inout Int, _ end: Int
  ) throws(Finding) -> FrameEvent? {
    var span = buffer.mutableSpan
    switch connection.next(in: &span, at: &position, end: end, inflater: inflater) {
    case .needMore: return nil
    case .message(let kind, let range):
      try promise(range.lowerBound >= 5 && range.upperBound <= end, "a range outside the piece")
      return .message(kind, range.map { span[$0] })
    case .joinedMessage(let kind, let payload): return .message(kind, payload)
    case .ping(let payload): return .ping(payload)
    case .pong(let payload): return .pong(payload)
    case .closed(let notice): return .closed(notice)
    case .failed(let fault): return .failed(fault.closeCode.rawValue)
    }
  }

  private mutating func answer(_ event: FrameEvent) {
    let mask = scene.mask
    switch event {
    case .message(let kind, let payload):
      let isCompressed = scene.window != nil
      connection.writeMessage(
        kind, scene.payload(payload).span, isCompressed: isCompressed, mask: mask, to: &output)
    case .ping(let payload): connection.writePong(payload, mask: mask, to: &output)
    case .pong: break
    case .closed(let notice): connection.writeClose(notice.code, mask: mask, to: &output)
    case .failed(let code):
      connection.writeClose(CloseCode(rawValue: code), mask: mask, to: &output)
    }
  }

  private mutating func closeIfDue() {
    guard events.count == scene.closesAfter else { return }
    connection.writeClose(.goingAway, reason: "enough", mask: scene.mask, to: &output)
  }
}
