import Deflate
import Synchronization
package import WebSocket

/// One message framed once for any number of receivers, on any loop; immutable and shared.
///
/// It is a server's frame (not masked, RFC 6455 §5.1): sending one over a dialled connection is our bug. Receivers that
/// agreed on compression get one of two compressed forms, each made by the loop that first needs it. No message refers
/// to another one, so a form is the same for everybody. When two loops make one at once, one of both is thrown away.
package final class SharedFrame: Sendable {
  /// The header and payload as they stand on the wire.
  final class Form: Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
  }

  let plain: Form
  private let opcode: Opcode
  private let headerBytes: Int
  private let isCompressible: Bool
  private let wide = AtomicLazyReference<Form>()
  private let narrow = AtomicLazyReference<Form>()

  /// The plain form, header and payload.
  package var bytes: [UInt8] { plain.bytes }

  /// Frames the payload, which must be valid UTF-8 when the kind is text. Copies it once. Messages with a secret beside
  /// something that a stranger chose are not compressible, because their length would tell of the secret.
  package convenience init(_ kind: MessageKind, _ payload: [UInt8], compressible: Bool = true) {
    self.init(kind, payload.span, compressible: compressible)
  }

  /// Frames a payload that lies somewhere else; see the other initialiser.
  package init(_ kind: MessageKind, _ payload: Span<UInt8>, compressible: Bool = true) {
    opcode =
      switch kind {
      case .text: .text
      case .binary: .binary
      }
    isCompressible = compressible
    headerBytes = FrameWriter.headerBytes(payloadBytes: payload.count, isMasked: false)
    plain = Form(FrameWriter.frame(opcode, payload))
  }

  /// Returns the form for a receiver of that window. With nil it is the form without compression.
  func form(_ window: DeflateWindow?, _ compressors: Compressors) -> Form {
    guard let window, isCompressible else { return plain }
    switch window {
    case .bits15: return wide.load() ?? wide.storeIfNil(make(window, compressors))
    case .bits9: return narrow.load() ?? narrow.storeIfNil(make(window, compressors))
    }
  }

  private func make(_ window: DeflateWindow, _ compressors: Compressors) -> Form {
    let frame = plain.bytes
    let payload = frame.span.extracting(headerBytes..<frame.count)
    guard compressors.compress(payload, window) else { return plain }
    let compressed = compressors.compressed
    return Form(FrameWriter.frame(opcode, compressed.span, isCompressed: true))
  }

  func isSame(as other: SharedFrame) -> Bool {
    self === other
  }
}
