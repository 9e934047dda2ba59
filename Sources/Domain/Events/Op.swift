/// Why a membership ended.
package enum LeaveReason: String, Sendable {
  case left
  case removed
}

/// The fields of a profile that an edit sets; nil leaves a field as it is.
package struct ProfileEdit: Equatable, Sendable {
  package var name: String?
  package var location: String?
  package var zone: String?
  package var invitedBy: InvitedBy?
  package var locale: String?
  package init(
    name: String? = nil, location: String? = nil, zone: String? = nil, invitedBy: InvitedBy? = nil,
    locale: String? = nil
  ) {
    self.invitedBy = invitedBy
    self.locale = locale
    self.name = name
    self.location = location
    self.zone = zone
  }
}

/// One change of one object, past tense (protocol §7). The ops of an event apply all or nothing.
///
/// Counters are the values after the op, so that nobody has to hold every post to show the badge.
/// An object that comes back into the state comes whole. Boxed, as `Object` is.
package indirect enum Op: Equatable, Sendable {
  // c:
  case categoryAdded(Category)
  /// Says at least something; what we write says `history` alone, which no undo takes back.
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
  /// The post has no text any more, and never had: what came before says so too (protocol §5.6).
  case postErased(PostID, version: Int, Stamp)
  /// The same by the system, of a removed post whose time in the bin is over: nothing brings it back any more. What it
  /// is found by stays, so that an import which is repeated does not add it again.
  case postPurged(PostID, Source?)
  case step(PostID, version: Int, StepOp)
  /// Something was put on the post, or taken off it.
  case postMarked(PostID, version: Int, PostMark)
  /// An occurrence of a post that comes again was completed or left out: the post is due the next time.
  case postOccurred(PostID, version: Int, NextOccurrence, Counters)
  case postOverdue(PostID, OverdueMark, Counters)
  /// Nil: where its number says, as before anybody moved it.
  case postMoved(PostID, version: Int, Position?)
  /// To another list, of which it says nothing; this one keeps a post without text, as removed.
  case postMovedOut(PostID, version: Int, Stamp, Counters)
  /// From another list, as it is now; with the number that it had here before, if it was here.
  case postMovedIn(Post, Counters)
  case tag(TagOp)
  case claim(PostID, ClaimOp)
  /// What another program says of the post now, and what of it is left to people; without the source where the text of
  /// the post was erased.
  case postImported(PostID, version: Int, PostEdit, Source?)
  // g:
  case groupAdded(Group)
  case groupEdited(name: String)
  /// With the categories that go with it, ascending.
  case groupRemoved(Stamp, with: [CategoryID])
  case groupRestored
  case groupCategoryAdded(CategoryID)
  // c: and g:
  case memberAdded(Member)
  case memberUpdated(UserID, name: String)
  /// Another role, still a member.
  case memberGranted(UserID, Grants)
  case memberRemoved(UserID, LeaveReason)
  // c:, g: and u:
  /// The account of a person whom the stream names has ended: what they were called is erased.
  case personForgotten(UserID)
  // c:, g: and u:
  case invitationSent(Invitation)
  case invitationAccepted(InvitationID)
  case invitationDeclined(InvitationID)
  case invitationRevoked(InvitationID)
  /// Nobody answered it in time.
  case invitationExpired(InvitationID)
  // c:
  case link(LinkOp)
  // c: and g:
  case codeMade(InvitationCode)
  /// How many it has let in by now.
  case codeUsed(InvitationID, used: Int)
  /// Used up, taken back, over, or ended with its maker's right to make it.
  case codeEnded(InvitationID)
  // c:, g: and u:
  /// A guest has a username and a name of their own now.
  case upgraded(UserID, username: String, name: String)
  // u:
  case accountRegistered(Profile)
  case profileEdited(ProfileEdit)
  /// Its end was asked for.
  case accountEnding(Timestamp)
  case accountKept
  case membershipAdded(Membership)
  case membershipGranted(Membership)
  /// Somebody gave this person another role; told, unlike `membershipGranted`, which follows from
  /// something that is told by itself.
  case roleChanged(Membership)
  case membershipRemoved(StreamID, LeaveReason)
  /// Another place among the person's lists.
  case membershipMoved(StreamID, Position)
  /// Somebody made a post this person's work; of what it is now, the post says more.
  case assignmentAdded(StreamID, PostID)
  case readMarked(ReadMark)
  case declinesCounted(Declines)
  case personBlocked(Block)
  case personUnblocked(UserID)
  /// Whole, also when it is another one now.
  case filterSaved(Filter)
  case filterRemoved(FilterID)
  case personal(PersonalOp)
  /// Something about an invitation that the person does not hear of: it changes nothing here, so that who sent
  /// it sees the same as if it were here.
  case invitationHeldBack(InvitationID)
  /// What this version does not know, a kind or what one says: advances the cursor and changes nothing (protocol §7).
  /// With the whole op as it was written, so that an event that is written again still says it.
  case unknown(kind: String, json: [UInt8])
}

/// What one command (or batch) did to one stream. `body` on the wire and in the store is made of this.
package struct Event: Equatable, Sendable {
  /// 1, 2, 3 … without holes. Not part of the body: the push carries the first one's number.
  package let seq: Int64
  package let transaction: TransactionID
  /// max(wall clock, `at` of the event before).
  package let at: Timestamp
  /// Nil for the system.
  package let by: UserID?
  package let key: CommandKey?
  /// The numbers of the events of this stream that this one takes back, ascending; none when it is no
  /// undo. For those who read: to `apply` the ops say everything.
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
