/// One change of a person's own things, in their `u:` (protocol §7).
package enum PersonalOp: Equatable, Sendable {
  case edited(PostAddress, PersonalEdit)
  /// The person's own things about these posts ended, because they left the list or to make room.
  case ended(CategoryID, [PostID])
  /// The post is in another list now, and so is what the person has said of it.
  case moved(PostID, from: CategoryID, to: CategoryID)
  case settings(SettingsEdit)
  case fired(Reminded)
  /// There is something to tell of this day (`digest.get`).
  case digestReady(Day)
  /// The person was told what they had asked for. It stays until they have read it, whatever else they are told.
  case kept(Reminded)
  /// The person left the list, so no reminder that was told of these posts stays.
  case keptEnded(CategoryID, [PostID])
  /// A notice has nothing to tell any more: the invitation was taken back, or nobody answered it in time.
  case noticeEnded(seq: Int64, opIndex: Int)
  /// Somebody made a post this person's work. The post itself says whether it still is.
  case assignmentAdded(StreamID, PostID)
  /// A webhook of the person's bot does not get through, and nothing is tried any more.
  case webhookPaused(WebhookID, of: UserID)
  case readMarked(ReadMark)
  case declinesCounted(Declines)
}

extension PersonalOp: OpFamily {
  package func touches(in stream: StreamID) -> [ObjectKey] {
    switch self {
    case .edited(let address, _): [address.personalKey]
    case .ended(let category, let posts):
      posts.map { PostAddress(category: category, post: $0).personalKey }
    case .moved(let post, let from, let to):
      [from, to].map { PostAddress(category: $0, post: post).personalKey }
    case .settings: [ObjectKey(kind: .settings, id: stream.uuid)]
    case .fired(let it): [it.address.personalKey]
    case .digestReady, .assignmentAdded, .webhookPaused: []
    case .kept(let it): [it.address.reminderKey]
    case .noticeEnded(let seq, let opIndex): [Notice.key(seq: seq, opIndex: opIndex)]
    case .keptEnded(let category, let posts):
      posts.map { PostAddress(category: category, post: $0).reminderKey }
    case .readMarked(let mark): [ObjectKey(kind: .readMark, id: mark.stream.uuid)]
    case .declinesCounted(let it): [Object.declines(it).key]
    }
  }

  package func rankedKinds(in stream: StreamID) -> [ObjectKind] {
    switch self {
    case .fired, .digestReady, .assignmentAdded, .webhookPaused:
      if case .user = stream { [.notice] } else { [] }
    case .kept: [.reminder]
    case .edited, .ended, .moved, .settings, .keptEnded, .noticeEnded, .readMarked,
      .declinesCounted:
      []
    }
  }

  package func apply(
    to state: inout StreamState, at index: Int, of event: Event,
    into changes: inout [ObjectChange]
  ) {
    state.apply(self, at: index, of: event, into: &changes)
  }

  package var undo: UndoRole { .left }

  package func without(_ subject: ErasedSubject) -> PersonalOp { self }

  package var erased: ErasedSubject? { nil }

  package func meaning(in event: Event, of stream: StreamID, to viewer: UserID) -> Meaning? {
    guard stream == .user(viewer) else { return nil }
    return switch self {
    case .fired(let it):
      Meaning(kind: it.kind.notification, about: it.address.stream, post: it.address.post)
    case .digestReady: Meaning(kind: .digest)
    case .webhookPaused(_, let bot): Meaning(kind: .webhookPaused, about: .user(bot))
    case .assignmentAdded(let place, let post): Meaning(kind: .assigned, about: place, post: post)
    case .edited, .ended, .moved, .settings, .kept, .keptEnded, .noticeEnded, .readMarked,
      .declinesCounted:
      nil
    }
  }
}
