import Domain

/// The limits of a text that a reader accepts.
///
/// Memory follows from `bytesMax`: a value takes at least two bytes (`0,`) and 16 bytes of tape.
package struct JSONLimits: Hashable, Sendable {
  /// The bytes of the whole text.
  package let bytesMax: Int
  /// The depth of objects and arrays inside each other; `[]` has depth 1.
  package let depthMax: Int
  /// The characters of one number; a double needs 24.
  package let numberBytesMax = 64

  package init(bytesMax: Int, depthMax: Int = Limits.jsonDepthMax) {
    precondition(bytesMax < Int(UInt32.max), "the tape holds 32-bit offsets")
    precondition((1...512).contains(depthMax), "each level takes stack")
    self.bytesMax = bytesMax
    self.depthMax = depthMax
  }

  /// The limits of one message of the protocol.
  package static let message = JSONLimits(bytesMax: Limits.messageBytesMax)
}
