/// One change of one object, in the past tense (protocol §7). The ops of an event apply all or nothing.
///
/// Counters are the values after the op, so nobody has to hold every post to show the badge. An object that comes back
/// into the state comes whole. The value is boxed, as `Object` is.
package indirect enum Op: Equatable, Sendable {
  // c:
  case category(CategoryOp)
  case post(PostOp)
  case step(PostID, version: Int, StepOp)
  case tag(TagOp)
  case claim(PostID, ClaimOp)
  // g:
  case group(GroupOp)
  // c: and g:
  case member(MemberOp)
  case code(CodeOp)
  // c:, g: and u:
  case person(PersonOp)
  case invitation(InvitationOp)
  // c:
  case link(LinkOp)
  // u:
  case account(AccountOp)
  case membership(MembershipOp)
  /// Somebody made a post this person's work. The post itself says whether it still is.
  case assignmentAdded(StreamID, PostID)
  case readMarked(ReadMark)
  case declinesCounted(Declines)
  case block(BlockOp)
  case filter(FilterOp)
  case personal(PersonalOp)
  /// The kind of op, or something in it, is not known to this version. It advances the cursor and changes nothing
  /// (protocol §7). It holds the whole op as it was written, so that an event that is written again still says it.
  case unknown(kind: String, json: [UInt8])
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
