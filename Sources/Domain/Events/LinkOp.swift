/// One change of the links of a category.
package enum LinkOp: Equatable, Sendable {
  case made(GuestLink)
  /// The link was taken back, its time is over, or its maker may not make links any more.
  case ended(LinkID)

  package var link: LinkID {
    switch self {
    case .made(let link): link.id
    case .ended(let id): id
    }
  }
}

extension LinkOp: OpFamily {
  package func touches(in stream: StreamID) -> [ObjectKey] {
    [ObjectKey(kind: .link, id: link.uuid)]
  }

  package func rankedKinds(in stream: StreamID) -> [ObjectKind] { [] }

  package func apply(
    to state: inout StreamState, at index: Int, of event: Event,
    into changes: inout [ObjectChange]
  ) {
    state.apply(self, into: &changes)
  }

  package var undo: UndoRole { .left }

  package func without(_ subject: ErasedSubject) -> LinkOp { self }

  package var erased: ErasedSubject? { nil }

  package func meaning(in event: Event, of stream: StreamID, to viewer: UserID) -> Meaning? { nil }
}

extension StreamState {
  mutating func apply(_ op: LinkOp, into changes: inout [ObjectChange]) {
    switch op {
    case .made(let link): put(.link(link), into: &changes)
    case .ended(let id): delete(ObjectKey(kind: .link, id: id.uuid), into: &changes)
    }
  }
}
