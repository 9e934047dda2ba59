/// A change of how a stream names a person (protocol §7), in `c:`, `g:` and `u:`.
package enum PersonOp: Equatable, Sendable {
  /// A guest has a username and a name of their own now.
  case upgraded(UserID, username: String, name: String)
  /// The account of a person whom the stream names has ended: their name and username are erased.
  case forgotten(UserID)

  /// Returns the op without the names of this person.
  private func withoutName(of person: UserID) -> PersonOp {
    if case .upgraded(person, _, _) = self {
      .upgraded(person, username: "", name: "")
    } else {
      self
    }
  }
}

extension PersonOp: OpFamily {
  package func touches(in stream: StreamID) -> [ObjectKey] {
    switch (self, stream) {
    case (.upgraded, .user): [ObjectKey(kind: .profile, id: stream.uuid)]
    case (.forgotten(let id), .user): [ObjectKey(kind: .block, id: id.uuid)]
    case (.upgraded(let id, _, _), _), (.forgotten(let id), _):
      [ObjectKey(kind: .member, id: id.uuid)]
    }
  }

  package func rankedKinds(in stream: StreamID) -> [ObjectKind] { [] }

  package func apply(
    to state: inout StreamState, at index: Int, of event: Event,
    into changes: inout [ObjectChange]
  ) {
    state.apply(self, into: &changes)
  }

  package var undo: UndoRole { .left }

  package func without(_ subject: ErasedSubject) -> PersonOp {
    if case .person(let id) = subject { withoutName(of: id) } else { self }
  }

  package var erased: ErasedSubject? {
    if case .forgotten(let id) = self { .person(id) } else { nil }
  }

  package func meaning(in event: Event, of stream: StreamID, to viewer: UserID) -> Meaning? { nil }
}

extension StreamState {
  mutating func apply(_ op: PersonOp, into changes: inout [ObjectChange]) {
    switch op {
    case .upgraded(let id, let name, let shown): upgrade(id, to: name, shown, into: &changes)
    case .forgotten(let id): forget(id, into: &changes)
    }
  }

  /// Changes the names of a guest: in `u:` in the profile, elsewhere in the member.
  private mutating func upgrade(
    _ id: UserID, to username: String, _ name: String, into changes: inout [ObjectChange]
  ) {
    changeProfile(into: &changes) {
      ($0.username, $0.name, $0.isGuest) = (username, name, false)
    }
    changeMember(id, into: &changes) {
      ($0.username, $0.name, $0.isGuest) = (username, name, false)
    }
  }
}
