/// One change of one object, in the past tense (protocol §7). The ops of an event apply all or nothing.
///
/// Counters are the values after the op, so nobody has to hold every post to show the badge. An object that comes back
/// into the state comes whole. The value is boxed, as `Object` is.
package indirect enum Op: Equatable, Sendable {
  // c:
  case categoryAdded(Category)
  /// The category has other fields; at least one is set. An event that we write for a change of `history` sets nothing
  /// else, and no undo takes it back.
  case categoryEdited(CategoryEdit)
  case categoryRemoved(Stamp)
  case categoryRestored
  case categoryArchived(Stamp)
  case categoryUnarchived
  case postAdded(Post, Counters)
  case postEdited(PostID, version: Int, PostEdit)
  case postCompleted(PostID, version: Int, Stamp, Counters)
  case postReopened(Post, Counters)
  case postRemoved(PostID, version: Int, Stamp, Counters)
  case postRestored(Post, Counters)
  /// The text of the post is erased, here and in all earlier events (protocol §5.6).
  case postErased(PostID, version: Int, Stamp)
  /// The system has erased a removed post whose time in the bin is over: nothing brings it back any more. The source by
  /// which an import finds it stays, so that a repeated import does not add it again.
  case postPurged(PostID, Source?)
  case step(PostID, version: Int, StepOp)
  /// Something was put on the post, or taken off it.
  case postMarked(PostID, version: Int, PostMark)
  /// An occurrence of a post that comes again was completed or left out, and the post is due the next time.
  case postOccurred(PostID, version: Int, NextOccurrence, Counters)
  case postOverdue(PostID, OverdueMark, Counters)
  /// The post has another place. Nil: the place that its number gives, as before anybody moved it.
  case postMoved(PostID, version: Int, Position?)
  /// The post went to another list, which is not named here. This list keeps a post without text, as removed.
  case postMovedOut(PostID, version: Int, Stamp, Counters)
  /// The post came from another list and is written as it is now. If it was in this list before, it has the number that
  /// it had here.
  case postMovedIn(Post, Counters)
  case tag(TagOp)
  case claim(PostID, ClaimOp)
  /// Another program says something else of the post now. The source also names the fields that are left to people. It
  /// is nil when the text of the post was erased.
  case postImported(PostID, version: Int, PostEdit, Source?)
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
