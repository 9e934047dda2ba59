extension Op {
  /// Returns the objects that the op may read or change, its own subject first (`OpFamily.touches`).
  package func touches(in stream: StreamID) -> [ObjectKey] { family?.touches(in: stream) ?? [] }

  /// Answers whether the op is about this post: it may change the post, reacts to what was completed of it, or is
  /// about a comment on it.
  package func isAbout(_ post: PostID, in stream: StreamID) -> Bool {
    if case .reaction(.reacted(_, let work, _)) = self { return work.post == post }
    if case .line(let op) = self { return op.post == post }
    return touches(in: stream).first == ObjectKey(kind: .post, id: post.uuid)
  }

  /// Returns the kinds of objects whose ranks must be known to apply the op (`OpFamily.rankedKinds`).
  func rankedKinds(in stream: StreamID) -> [ObjectKind] { family?.rankedKinds(in: stream) ?? [] }

  /// Whether the object that the op is about is kept beside the event as it was before. Nothing asks for a line of talk
  /// as it was before a sign, and a long text would be stored once more with each sign.
  package var keepsSubject: Bool { if case .line(.reacted) = self { false } else { true } }
}
