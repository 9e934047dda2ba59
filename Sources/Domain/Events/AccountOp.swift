/// A change of a person's account, in their `u:` (protocol §7).
package enum AccountOp: Equatable, Sendable {
  case registered(Profile)
  case edited(ProfileEdit)
  /// The person has asked for the end of the account, which comes at this time.
  case ending(Timestamp)
  case kept
  /// This person owns the bot from now on.
  case given(to: UserID)
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
    self.name = name
    self.location = location
    self.zone = zone
    self.invitedBy = invitedBy
    self.locale = locale
  }
}

extension AccountOp: OpFamily {
  package func touches(in stream: StreamID) -> [ObjectKey] {
    [ObjectKey(kind: .profile, id: stream.uuid)]
  }

  package func rankedKinds(in stream: StreamID) -> [ObjectKind] { [] }

  package func apply(
    to state: inout StreamState, at index: Int, of event: Event,
    into changes: inout [ObjectChange]
  ) {
    state.apply(self, into: &changes)
  }

  package var undo: UndoRole { .left }

  package func without(_ subject: ErasedSubject) -> AccountOp { self }

  package var erased: ErasedSubject? { nil }

  package func meaning(in event: Event, of stream: StreamID, to viewer: UserID) -> Meaning? { nil }
}

extension StreamState {
  mutating func apply(_ op: AccountOp, into changes: inout [ObjectChange]) {
    switch op {
    case .registered(let profile): put(.profile(profile), into: &changes)
    case .edited(let edit): changeProfile(into: &changes) { $0.set(edit) }
    case .ending(let end): changeProfile(into: &changes) { $0.endsAt = end }
    case .kept: changeProfile(into: &changes) { $0.endsAt = nil }
    case .given(let owner): changeProfile(into: &changes) { $0.owner = owner }
    }
  }

  mutating func changeProfile(
    into changes: inout [ObjectChange], _ change: (inout Profile) -> Void
  ) {
    guard case .profile(var profile) = object(.profile, stream.uuid) else { return }
    change(&profile)
    put(.profile(profile), into: &changes)
  }
}

extension Profile {
  fileprivate mutating func set(_ edit: ProfileEdit) {
    name = edit.name ?? name
    location = edit.location ?? location
    zone = edit.zone ?? zone
    invitedBy = edit.invitedBy ?? invitedBy
    locale = edit.locale ?? locale
  }
}
