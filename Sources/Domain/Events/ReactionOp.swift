/// A change of the reactions to an event of a category (protocol §7). Who reacts is the author of this event.
package enum ReactionOp: Equatable, Sendable {
  /// The author's reaction to the event of this number, about this work, is the sign from now on. Nil: none any more.
  case reacted(event: Int64, CompletedWork, sign: String?)
  /// The reactions to the event of this number make room for those to a newer one.
  case ended(event: Int64)

  package var event: Int64 {
    switch self {
    case .reacted(let event, _, _), .ended(let event): event
    }
  }
}

extension ReactionOp: OpFamily {
  package func touches(in stream: StreamID) -> [ObjectKey] { [Reactions.key(of: event)] }

  package func rankedKinds(in stream: StreamID) -> [ObjectKind] { [.reactions] }

  package func apply(
    to state: inout StreamState, at index: Int, of event: Event,
    into changes: inout [ObjectChange]
  ) {
    state.apply(self, of: event, into: &changes)
  }

  /// A person takes a reaction back by giving none. Others cannot.
  package var undo: UndoRole { .left }

  package func without(_ subject: ErasedSubject) -> ReactionOp { self }

  package var erased: ErasedSubject? { nil }

  /// A reaction is news to the person who did the work. That it was taken back is news to nobody.
  package func meaning(in event: Event, of stream: StreamID, to viewer: UserID) -> Meaning? {
    switch self {
    case .reacted(_, let work, let sign?) where work.by == viewer:
      Meaning(kind: .reacted, post: work.post, sign: sign)
    case .reacted, .ended: nil
    }
  }
}

extension StreamState {
  mutating func apply(_ op: ReactionOp, of event: Event, into changes: inout [ObjectChange]) {
    let key = Reactions.key(of: op.event)
    guard case .reacted(let about, let work, let sign) = op else {
      return delete(key, into: &changes)
    }
    guard let user = event.by else { return }
    var given: [Reaction] = []
    if case .reactions(let known) = objects[key] { given = known.given }
    given.removeAll { $0.user == user }
    if let sign { given.append(Reaction(user: user, sign: sign, post: work.post)) }
    guard !given.isEmpty else { return delete(key, into: &changes) }
    put(.reactions(Reactions(to: about, given)), into: &changes)
  }
}
