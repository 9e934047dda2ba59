/// One change of one object, in the past tense (protocol §7). The ops of an event apply all or nothing.
///
/// Counters are the values after the op, so nobody has to hold every post to show the badge. An object that comes back
/// into the state comes whole. Each value is boxed once: the large families box theirs, and the others are boxed here.
package enum Op: Equatable, Sendable {
  // c:
  case category(CategoryOp)
  case post(PostOp)
  indirect case tag(TagOp)
  // g:
  indirect case group(GroupOp)
  // c: and g:
  indirect case member(MemberOp)
  indirect case code(CodeOp)
  indirect case reaction(ReactionOp)
  indirect case line(LineOp)
  // c:, g: and u:
  indirect case person(PersonOp)
  indirect case invitation(InvitationOp)
  // c:
  indirect case link(LinkOp)
  // u:
  indirect case account(AccountOp)
  indirect case membership(MembershipOp)
  indirect case block(BlockOp)
  indirect case filter(FilterOp)
  indirect case personal(PersonalOp)
  /// The kind of op, or something in it, is not known to this version. It advances the cursor and changes nothing
  /// (protocol §7). It holds the whole op as it was written, so that an event that is written again still says it.
  indirect case unknown(kind: String, json: [UInt8])
}

extension Op {
  /// The family of the op with its answers (`OpFamily`). Nil when this version does not know the op.
  package var family: (any OpFamily)? {
    switch self {
    case .category(let op): op
    case .post(let op): op
    case .tag(let op): op
    case .group(let op): op
    case .member(let op): op
    case .code(let op): op
    case .reaction(let op): op
    case .line(let op): op
    case .person(let op): op
    case .invitation(let op): op
    case .link(let op): op
    case .account(let op): op
    case .membership(let op): op
    case .block(let op): op
    case .filter(let op): op
    case .personal(let op): op
    case .unknown: nil
    }
  }

  /// Returns the same op without what is erased.
  package func without(_ subject: ErasedSubject) -> Op {
    switch self {
    case .category(let op): .category(op.without(subject))
    case .post(let op): .post(op.without(subject))
    case .tag(let op): .tag(op.without(subject))
    case .group(let op): .group(op.without(subject))
    case .member(let op): .member(op.without(subject))
    case .code(let op): .code(op.without(subject))
    case .reaction(let op): .reaction(op.without(subject))
    case .line(let op): .line(op.without(subject))
    case .person(let op): .person(op.without(subject))
    case .invitation(let op): .invitation(op.without(subject))
    case .link(let op): .link(op.without(subject))
    case .account(let op): .account(op.without(subject))
    case .membership(let op): .membership(op.without(subject))
    case .block(let op): .block(op.without(subject))
    case .filter(let op): .filter(op.without(subject))
    case .personal(let op): .personal(op.without(subject))
    case .unknown: self
    }
  }

  /// Returns the op that changes a step of this post.
  package static func step(_ post: PostID, version: Int, _ op: StepOp) -> Op {
    .post(.step(post, version: version, op))
  }

  /// Returns the op that changes the claim of this post.
  package static func claim(_ post: PostID, _ op: ClaimOp) -> Op { .post(.claim(post, op)) }
  package static func run(_ post: PostID, _ op: RunOp) -> Op { .post(.run(post, op)) }
  package static func contest(_ post: PostID, _ op: ContestOp) -> Op { .post(.contest(post, op)) }
}

/// The changes that one command (or batch) made in one stream. The `body` on the wire and in the store is made of this.
package struct Event: Equatable, Sendable {
  /// The number of the event: 1, 2, 3 … without holes. It is not part of the body: a push carries the number of its
  /// first event.
  package let seq: Int64
  package let transaction: TransactionID
  /// The time of the event: the later one of the wall clock and the `at` of the event before.
  package let at: Timestamp
  /// The person who caused the event. Nil for the system.
  package let by: UserID?
  package let key: CommandKey?
  /// The numbers of the events of this stream that this one takes back, ascending. Empty when it is no undo. They are
  /// for readers; for `apply` the ops say everything.
  package let undoes: [Int64]
  package let ops: [Op]

  package init(
    seq: Int64, transaction: TransactionID, at: Timestamp, by: UserID?, key: CommandKey?,
    undoes: [Int64] = [], ops: [Op]
  ) {
    self.seq = seq
    self.transaction = transaction
    self.at = at
    self.by = by
    self.key = key
    self.undoes = undoes
    self.ops = ops
  }
}
