package import Domain

// Reads and writes the claim of a post, and the ops about it.

extension PostClaim {
  init(_ fields: StoredFields) throws(WireError) {
    self.init(
      user: UserID(try fields.uuid("user")), seq: try fields.int64("seq"),
      until: try fields.time("until"))
  }
}

extension JSONWriter {
  mutating func member(_ name: String, _ claim: PostClaim) {
    key(name)
    beginObject()
    member("user", claim.user.uuid)
    member("seq", claim.seq)
    member("until", claim.until)
    endObject()
  }
}

extension ClaimOp {
  package enum Kind: String, CaseIterable, Sendable {
    case taken = "post.claimed"
    case released = "post.released"
    case ended = "post.claim_ended"
  }

  package var kind: Kind {
    switch self {
    case .taken: .taken
    case .released: .released
    case .ended: .ended
    }
  }

  func write(of post: PostID, to writer: inout JSONWriter) {
    writer.member("id", post.uuid)
    switch self {
    case .taken(let user, let until, let version):
      writer.member("v", version)
      writer.key("f")
      writer.beginObject()
      writer.member("user", user.uuid)
      writer.member("until", until)
      writer.endObject()
    case .released(let version): writer.member("v", version)
    case .ended: break
    }
  }

  init(_ kind: Kind, _ op: StoredFields) throws(WireError) {
    switch kind {
    case .taken:
      let fields = try op.f()
      self = .taken(
        UserID(try fields.uuid("user")), until: try fields.time("until"), version: try op.int("v"))
    case .released: self = .released(version: try op.int("v"))
    case .ended: self = .ended
    }
  }
}
