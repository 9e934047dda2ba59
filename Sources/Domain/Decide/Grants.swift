// A membership is a set of grants {direct, via group}, and the highest counts (DESIGN §3). A person comes in with the
// first grant and goes with the last; in between a grant only changes the role. Each change is an op in the place and,
// when it changes what the person may do there, one in the person's `u:`.

/// One grant: the source that it comes from, and the role that it gives.
enum Grant {
  case direct(Role)
  case viaGroup(Role)
}

/// The source that a grant comes from.
enum GrantSource {
  case direct
  case group
  case both
}

/// The part of a person that members of a place see.
struct Person {
  let id: UserID
  let username: String
  let name: String
  let kind: UserKind
  let isGuest: Bool

  init(_ profile: Profile) {
    id = profile.id
    username = profile.username
    name = profile.name
    kind = profile.kind
    isGuest = profile.isGuest
  }

  init(_ member: Member) {
    id = member.id
    username = member.username
    name = member.name
    kind = member.kind
    isGuest = member.isGuest
  }
}

func person(_ user: UserID, in world: inout World) throws(Halt) -> Person {
  guard let profile = try world.profile(of: user) else { throw .refused(.notFound("user")) }
  return Person(profile)
}

/// Gives a person one more grant in a category or group.
func admit(
  _ person: Person, to stream: StreamID, by grant: Grant, drafting: inout Drafting,
  in world: inout World
) throws(Halt) {
  try world.require([
    .head(stream), .object(stream, ObjectKey(kind: .member, id: person.id.uuid)),
    .head(.user(person.id)),
  ])
  let held = try world.member(person.id, of: stream)
  let grants = (held?.grants ?? Grants()).with(grant)
  guard let role = grants.role else { return }
  var membership = Membership(stream: stream, role: role)
  guard let before = held?.role else {
    var member = Member(
      id: person.id, username: person.username, name: person.name, kind: person.kind,
      grants: grants, joinedSeq: try world.nextSeq(of: stream))
    member.isGuest = person.isGuest
    drafting.add(.member(.added(member)), to: stream)
    if stream.category != nil {
      membership.position = try world.placeOfNewList(of: person.id, with: drafting)
    }
    drafting.add(.membership(.added(membership)), to: .user(person.id))
    return
  }
  drafting.add(.member(.granted(person.id, grants)), to: stream)
  if before != role { drafting.add(.membership(.granted(membership)), to: .user(person.id)) }
}

/// Ends the grant of one source, and with the last grant the membership. Whatever the person opened there ends with the
/// right to open it: pending invitations are revoked, codes and links end.
func dismiss(
  _ member: Member, from stream: StreamID, losing source: GrantSource, reason: LeaveReason,
  drafting: inout Drafting, in world: inout World
) throws(Halt) {
  // The end of a group is told in the group.
  let isTold = reason == .removed && source == .direct
  try reduce(
    member, in: stream, to: member.grants.without(source), reason: reason, isTold: isTold,
    &drafting, &world)
}

/// Leaves a member only these of their grants. `isTold` says whether a lower role is told as a change of it.
func reduce(
  _ member: Member, in stream: StreamID, to grants: Grants, reason: LeaveReason, isTold: Bool,
  _ drafting: inout Drafting, _ world: inout World
) throws(Halt) {
  let own = StreamID.user(member.id)
  if let role = grants.role {
    drafting.add(.member(.granted(member.id, grants)), to: stream)
    if role != member.role {
      let membership = Membership(stream: stream, role: role)
      drafting.add(
        isTold
          ? .membership(.roleChanged(membership)) : .membership(.granted(membership)),
        to: own)
    }
  } else {
    let direct = member.grants.viaGroup == nil
    drafting.add(.member(.removed(member.id, reason, direct: direct)), to: stream)
    drafting.add(.membership(.removed(stream, reason)), to: own)
    try endPersonal(of: member.id, in: stream, &drafting, &world)
    try endReminders(of: member.id, in: stream, &drafting, &world)
  }
  try revokeInvitations(of: member.id, beyond: grants.role, in: stream, &drafting, &world)
  try endCodes(of: member.id, beyond: grants.role, in: stream, &drafting, &world)
  try endLinks(of: member.id, beyond: grants.role, in: stream, &drafting, &world)
  if grants.role == nil, reason == .removed {
    try revokeInvitations(to: member.id, in: stream, &drafting, &world)
  }
}

/// Revokes the invitations that somebody has sent and may not send with the role that is left to them.
func revokeInvitations(
  of sender: UserID, beyond role: Role?, in stream: StreamID, _ drafting: inout Drafting,
  _ world: inout World
) throws(Halt) {
  let sent = try world.invitations(in: stream).filter { it in
    guard it.sent.by == sender else { return false }
    guard let role, Permission.allows(role, .invitation(.send)) else { return true }
    return it.role > role
  }
  try revoke(sent, &drafting, &world)
}

/// Revokes the invitations to a person about whom something else was decided since. A person who is taken out comes
/// back only by a new invitation, and a person who was given a role has that one. Such invitations are for people who
/// were invited into a category and then came in with its group.
func revokeInvitations(
  to receiver: UserID, in stream: StreamID, _ drafting: inout Drafting, _ world: inout World
) throws(Halt) {
  try revoke(
    try world.invitations(in: stream).filter { $0.user == receiver }, &drafting, &world)
}

extension Grants {
  /// Returns the grants with the one of this source replaced.
  func with(_ grant: Grant) -> Grants {
    switch grant {
    case .direct(let role): Grants(direct: role, viaGroup: viaGroup, raised: raised)
    case .viaGroup(let role): Grants(direct: direct, viaGroup: role, raised: raised)
    }
  }

  /// Returns the grants in a category, after its group gives its members this role.
  func withGroup(_ role: Role) -> Grants { viaGroup == nil ? self : with(.viaGroup(role)) }

  /// Returns the grants without those of a source. A role on top of the group's goes with either source: it ends with
  /// the group, and a person who gives up what they have in the category keeps only the group's.
  func without(_ source: GrantSource) -> Grants {
    switch source {
    case .direct: Grants(viaGroup: viaGroup)
    case .group: Grants(direct: direct)
    case .both: Grants()
    }
  }

  /// Returns the grants of a member with this role, which is not below the group's. A person who came only by an own
  /// invitation has the role by that one. The role of a member who is there through the group stands beside the
  /// group's, or it would last after they are taken out of the group.
  func set(to role: Role) -> Grants {
    guard let viaGroup else { return Grants(direct: role) }
    let own = direct.map { min($0, role) }
    let isRaised = role > max(viaGroup, own ?? viaGroup)
    return Grants(direct: own, viaGroup: viaGroup, raised: isRaised ? role : nil)
  }
}
