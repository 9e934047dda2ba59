package import WebSocket

/// One message framed once for any number of receivers, on any loop; immutable and shared.
///
/// A server's frame (not masked, RFC 6455 §5.1): sending one over a dialled connection is our bug.
package final class SharedFrame: Sendable {
  /// Header and payload, ready for the socket.
  package let bytes: [UInt8]

  /// Frames the payload, which must be valid UTF-8 when the kind is text. Copies it once.
  package init(_ kind: MessageKind, _ payload: [UInt8]) {
    switch kind {
    case .text: bytes = FrameWriter.frame(.text, payload)
    case .binary: bytes = FrameWriter.frame(.binary, payload)
    }
  }

  /// The frame of a payload that lies somewhere else; see the other initialiser.
  package init(_ kind: MessageKind, _ payload: Span<UInt8>) {
    var bytes: [UInt8] = []
    switch kind {
    case .text: FrameWriter.append(.text, payload, to: &bytes)
    case .binary: FrameWriter.append(.binary, payload, to: &bytes)
    }
    self.bytes = bytes
  }

  func isSame(as other: SharedFrame) -> Bool {
    self === other
  }
}
