/// A change of an invitation code of a category or a group (protocol §7).
package enum CodeOp: Equatable, Sendable {
  case made(InvitationCode)
  /// The code has let in this number of people by now.
  case used(InvitationID, times: Int)
  /// The code was used up or taken back, its time is over, or its maker may not make codes any more.
  case ended(InvitationID)

  package var code: InvitationID {
    switch self {
    case .made(let it): it.id
    case .used(let id, _), .ended(let id): id
    }
  }
}

extension CodeOp: OpFamily {
  package func touches(in stream: StreamID) -> [ObjectKey] {
    [ObjectKey(kind: .invitationCode, id: code.uuid)]
  }

  package func rankedKinds(in stream: StreamID) -> [ObjectKind] { [] }

  package func apply(
    to state: inout StreamState, at index: Int, of event: Event,
    into changes: inout [ObjectChange]
  ) {
    state.apply(self, into: &changes)
  }

  package var undo: UndoRole { .left }

  package func without(_ subject: ErasedSubject) -> CodeOp { self }

  package var erased: ErasedSubject? { nil }

  package func meaning(in event: Event, of stream: StreamID, to viewer: UserID) -> Meaning? { nil }
}

extension StreamState {
  mutating func apply(_ op: CodeOp, into changes: inout [ObjectChange]) {
    switch op {
    case .made(let code): put(.invitationCode(code), into: &changes)
    case .used(let id, let times):
      guard case .invitationCode(var code) = object(.invitationCode, id.uuid) else { return }
      code.used = times
      put(.invitationCode(code), into: &changes)
    case .ended(let id): delete(ObjectKey(kind: .invitationCode, id: id.uuid), into: &changes)
    }
  }
}
