/// The end of the connection that this machine is (RFC 6455 §5.1: clients mask, servers never do).
package enum WebSocketRole: Sendable { case server, client }

/// The kind of data that a message carries (RFC 6455 §5.6).
package enum MessageKind: Sendable, Hashable { case text, binary }

/// The opcodes of RFC 6455 §11.8. All others are reserved and refused.
package enum Opcode: UInt8, Sendable, CaseIterable {
  case continuation = 0x0
  case text = 0x1
  case binary = 0x2
  case close = 0x8
  case ping = 0x9
  case pong = 0xA

  /// Whether it is a control frame: at most 125 bytes, unfragmented, and allowed between fragments (§5.5).
  package var isControl: Bool { rawValue & 0x8 != 0 }
}

/// The four bytes of a client's masking key, first byte on the wire in the highest byte (RFC 6455
/// §5.3).
///
/// The caller draws one from a strong random source for every frame that a client sends.
package struct MaskKey: Hashable, Sendable {
  /// The key as a big-endian number: `0x37FA213D` is `37 FA 21 3D` on the wire.
  package let bits: UInt32

  /// Takes any 32 bits, zero included.
  package init(bits: UInt32) { self.bits = bits }
}
