import Domain

extension OpCodec {
  /// Reads one op. A kind that this version does not know becomes `.unknown`, and so does a reminder of an unknown
  /// kind. A known kind without a member that it needs is an error.
  static func decode(_ node: JSONNode) throws(WireError) -> Op {
    let op = try StoredFields(node)
    let word = try op.string("t")
    guard let kind = OpKind(rawValue: word) else { return node.unknown(word) }
    switch kind {
    case .category(let kind): return .category(try CategoryOp(kind, op))
    case .post(let kind): return .post(try PostOp(kind, op))
    case .step(let kind):
      return .post(.step(try op.postID(), version: try op.int("v"), try StepOp(kind, op.f())))
    case .mark(let kind):
      return .post(
        .marked(try op.postID(), version: try op.int("v"), try PostMark(kind, op)))
    case .overdue(let kind):
      return .post(
        .overdue(try op.postID(), try OverdueMark(kind, op), try op.counters("counters")))
    case .claim(let kind): return .post(.claim(try op.postID(), try ClaimOp(kind, op)))
    case .run(let kind): return .post(.run(try op.postID(), try RunOp(kind, op.f())))
    case .contest(let kind): return .post(.contest(try op.postID(), try ContestOp(kind, op.f())))
    case .tag(let kind): return .tag(try TagOp(kind, op))
    case .group(let kind): return .group(try GroupOp(kind, op))
    case .member(let kind): return .member(try MemberOp(kind, op))
    case .person(let kind): return .person(try PersonOp(kind, op))
    case .invitation(let kind): return .invitation(try InvitationOp(kind, op))
    case .code(let kind): return .code(try CodeOp(kind, op))
    case .reaction(let kind): return .reaction(try ReactionOp(kind, op))
    case .line(let kind): return .line(try LineOp(kind, op))
    case .link(let kind): return .link(try LinkOp(kind, op))
    case .account(let kind): return .account(try AccountOp(kind, op))
    case .membership(let kind): return .membership(try MembershipOp(kind, op))
    case .block(let kind): return .block(try BlockOp(kind, op))
    case .filter(let kind): return .filter(try FilterOp(kind, op))
    case .personal(let kind):
      return try PersonalOp(kind, op).map { .personal($0) } ?? node.unknown(word)
    }
  }
}

extension JSONNode {
  fileprivate func unknown(_ kind: String) -> Op { .unknown(kind: kind, json: Array(rawBytes)) }
}

extension StoredFields {
  func id() throws(WireError) -> UUID { try uuid("id") }

  func postID() throws(WireError) -> PostID { PostID(try id()) }

  func f() throws(WireError) -> StoredFields { try fields("f") }

  /// Reads a whole post. Its version is the op's.
  func post() throws(WireError) -> Post {
    try Post(id: PostID(id()), version: int("v"), f())
  }

  func reason() throws(WireError) -> LeaveReason {
    try word("reason", LeaveReason.init(rawValue:))
  }
}
