import Domain

/// An action on the people of a list or a group, and on how they come in and go.
enum PeopleAction: Equatable {
  case invite(String, Role, to: Reference?)
  case revoke(String, from: Reference?)
  case accept(Int?)
  case decline(Int?)
  case setRole(String, Role, in: Reference?)
  case remove(String, from: Reference?)
  case leave(Reference?, successor: String? = nil)
  case code(CodeStep)
  case link(LinkStep)
  case reach(ReachStep)
  case bot(BotStep)
}

/// A step with invitations by code.
enum CodeStep: Equatable {
  case make(Role, uses: Int, to: Reference?)
  case join(String)
  case list(Reference?)
  /// Revokes a code by its number in `/codes`.
  case revoke(Int, from: Reference?)
}

/// A step with the links by which whoever has one can look at a list.
enum LinkStep: Equatable {
  case make(Reference?, days: Int)
  case list(Reference?)
  /// Revokes a link by its number in `/links`.
  case revoke(Int, from: Reference?)
}

/// A step with the people who may not invite one.
enum ReachStep: Equatable {
  case blocks
  case block(String)
  case unblock(String)
}
