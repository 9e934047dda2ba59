/// One change of one object, in the past tense (protocol §7). The ops of an event apply all or nothing.
///
/// Counters are the values after the op, so nobody has to hold every post to show the badge. An object that comes back
/// into the state comes whole. Each value is boxed once: the large families box theirs, and the others are boxed here.
package enum Op: Equatable, Sendable {
  // c:
  case category(CategoryOp)
  case post(PostOp)
  indirect case step(PostID, version: Int, StepOp)
  indirect case tag(TagOp)
  indirect case claim(PostID, ClaimOp)
  // g:
  indirect case group(GroupOp)
  // c: and g:
  indirect case member(MemberOp)
  indirect case code(CodeOp)
  // c:, g: and u:
  indirect case person(PersonOp)
  indirect case invitation(InvitationOp)
  // c:
  indirect case link(LinkOp)
  // u:
  indirect case account(AccountOp)
  indirect case membership(MembershipOp)
  /// Somebody made a post this person's work. The post itself says whether it still is.
  indirect case assignmentAdded(StreamID, PostID)
  indirect case readMarked(ReadMark)
  indirect case declinesCounted(Declines)
  indirect case block(BlockOp)
  indirect case filter(FilterOp)
  indirect case personal(PersonalOp)
  /// The kind of op, or something in it, is not known to this version. It advances the cursor and changes nothing
  /// (protocol §7). It holds the whole op as it was written, so that an event that is written again still says it.
  indirect case unknown(kind: String, json: [UInt8])
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
