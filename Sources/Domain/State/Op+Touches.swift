extension Op {
  /// Returns the objects that the op may read or change, its own subject first (`OpFamily.touches`).
  package func touches(in stream: StreamID) -> [ObjectKey] { family?.touches(in: stream) ?? [] }

  /// Returns the kind of objects whose ranks must be known to apply the op (`OpFamily.rankedKind`).
  func rankedKind(in stream: StreamID) -> ObjectKind? { family?.rankedKind(in: stream) }
}
