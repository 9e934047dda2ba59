/// The answers that each family of ops gives about each of its ops.
///
/// No requirement has a default, so a new family has to answer every question before it compiles.
package protocol OpFamily: Equatable, Sendable {
  /// Returns every object of the stream that the op may read or change when it is applied, its own subject first.
  /// Objects that leave the state because only the newest stay are not among them: they follow from the ranks.
  func touches(in stream: StreamID) -> [ObjectKey]

  /// Returns the kinds of objects whose ranks in the state must be known to apply the op and to say where its subject
  /// stood before it.
  func rankedKinds(in stream: StreamID) -> [ObjectKind]

  /// Applies the op. This is its whole meaning (protocol §7). An op about an object that is not there changes nothing
  /// but counters. `index` is the place of the op in the event.
  func apply(
    to state: inout StreamState, at index: Int, of event: Event,
    into changes: inout [ObjectChange])

  /// The part that the op has in an undo.
  var undo: UndoRole { get }

  /// Returns the same op without what is erased. Kinds, people, times and numbers stay.
  func without(_ subject: ErasedSubject) -> Self

  /// The subject that the op takes out of everything written before it. Nil for most ops.
  var erased: ErasedSubject? { get }

  /// Returns the meaning of the op for this person, to whom the event as a whole is news. Nil when they are not told.
  func meaning(in event: Event, of stream: StreamID, to viewer: UserID) -> Meaning?
}

/// The part that an op has in an undo of its event.
package enum UndoRole: Sendable {
  /// The undo brings back what was there before.
  case takenBack
  /// The undo brings the post back from the other list, post by post, and tells of each.
  case movedBack
  /// The undo leaves the op alone, and tells that it does.
  case left
  /// The undo leaves the op alone. It is in nobody's way, or nobody has done it, so nothing is told.
  case passedOver
}

/// The meaning of one op for a person, without the place where it is written.
package struct Meaning {
  let kind: Notification.Kind
  var about: StreamID?
  var post: PostID?
  var user: UserID?
  var sign: String?
  var line: Int64?
}
