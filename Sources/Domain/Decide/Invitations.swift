// Decides about invitations by name. Those by code are in `Codes.swift`.

func decide(
  _ command: InvitationCommand, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  switch command {
  case .send(let id, let stream, let username, let role):
    let letter = InvitationLetter(id: id, stream: stream, username: username, role: role)
    return try send(letter, by: caller, in: &world)
  case .accept(let id): return try accept(id, by: caller, in: &world)
  case .decline(let id): return try decline(id, by: caller, in: &world)
  case .revoke(let id, let stream): return try revoke(id, in: stream, by: caller, in: &world)
  case .makeCode(let id, let stream, let new):
    return try makeCode(id, to: stream, new, by: caller, in: &world)
  case .redeem(let code): return try redeem(code, by: caller, in: &world)
  }
}

/// The fields of an invitation that somebody sends.
struct InvitationLetter {
  let id: InvitationID
  let stream: StreamID
  let username: String
  let role: Role
}

/// Writes an invitation into the place and into the invited person's `u:`. A sender whom that person has blocked is not
/// told so: to everybody but the person it looks as if the invitation waited for an answer. Then nothing is written for
/// the person: an answer never names an event of somebody else's `u:`, so it does not show that.
func send(
  _ letter: InvitationLetter, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let stream = letter.stream
  let name = try enter(stream, for: .invitation(.send), by: caller, in: &world)
  try world.require([
    .username(letter.username), .objects(stream, .invitation),
    .object(caller.stream, ObjectKey(kind: .profile, id: caller.user.uuid)),
  ])
  let sender = try person(caller.user, in: &world)
  guard !sender.isGuest else {
    throw .refused(.forbidden("a guest invites by a code, not by name"))
  }
  guard let receiver = try world.user(named: letter.username) else {
    throw .refused(.notFound("user"))
  }
  try world.require([.profile(receiver)])
  if try world.profile(of: receiver)?.owner == caller.user {
    return try letIn(receiver, with: letter, by: caller, in: &world)
  }
  try refuse(letter, to: receiver, by: caller, in: &world)
  let invitation = Invitation(
    id: letter.id, stream: stream, streamName: name, user: receiver, username: letter.username,
    role: letter.role, sent: Stamp(at: try world.time(in: stream, at: caller.now), by: caller.user),
    senderUsername: sender.username)
  var drafting = Drafting()
  try expire(in: stream, at: invitation.sent.at, &drafting, &world)
  drafting.add(.invitation(.sent(invitation)), to: stream)
  if try !isHeldBack(letter, by: receiver, from: caller.user, in: &world) {
    drafting.add(.invitation(.sent(invitation)), to: .user(receiver))
  }
  let mark = try markOfDay(from: caller, to: receiver, in: &world)
  return Decision(drafts: try drafting.drafts(), accounts: [.codeSpent(mark, by: caller.user)])
}

/// Returns one of the marks that a person has for inviting another on one day. A mark is spent whatever becomes of the
/// invitation, so sending and taking back is no way to reach somebody without end. Nobody reads the marks where they
/// lie.
private func markOfDay(
  from caller: Caller, to receiver: UserID, in world: inout World
) throws(Halt) -> String {
  let max = Limits.invitationsToOnePerDay
  let marks = (1...max).map {
    "asks \(caller.user) \(receiver) \(caller.now.dayUTC.number) \($0)"
  }
  try world.require(marks.map { .codeSpent($0) })
  for mark in marks where try !world.isSpent(mark) { return mark }
  throw .refused(.quota(limit: "invitationsToOnePerDay", max: max))
}

/// Answers whether the person does not hear of the invitation: because of a block, or because they have one with this
/// id from another place. Neither is a refusal, or a sender who tries an id twice would see which one was held back.
private func isHeldBack(
  _ letter: InvitationLetter, by receiver: UserID, from sender: UserID, in world: inout World
) throws(Halt) -> Bool {
  if try world.block(of: sender, by: receiver) != nil { return true }
  return try world.invitation(letter.id, in: .user(receiver)) != nil
}

/// Takes invitations that nobody has answered in time out of the state; nothing else does.
private func expire(
  in stream: StreamID, at now: Timestamp, _ drafting: inout Drafting, _ world: inout World
) throws(Halt) {
  let over = try world.invitations(in: stream).filter { $0.isOver(at: now) }
    .sorted { $0.sent.at < $1.sent.at }.prefix(Limits.expiredAtOnceMax)
  try requireInboxes(of: Array(over), in: &world)
  for old in over { try end(old, as: .invitation(.expired(old.id)), &drafting, &world) }
}

/// Loads what `end` asks about each invitation.
func requireInboxes(of invitations: [Invitation], in world: inout World) throws(Halt) {
  try world.require(
    invitations.flatMap { it -> [Need] in
      let own = StreamID.user(it.user)
      return [
        .object(own, ObjectKey(kind: .invitation, id: it.id.uuid)), .head(own),
        .objects(own, .notice), .ranks(own, .notice),
      ]
    })
}

/// Revokes pending invitations, so that the invited people are told.
func revoke(
  _ invitations: [Invitation], _ drafting: inout Drafting, _ world: inout World
) throws(Halt) {
  try requireInboxes(of: invitations, in: &world)
  for it in invitations { try end(it, as: .invitation(.revoked(it.id)), &drafting, &world) }
}

/// Ends a pending invitation in the place and for the person, along with the notice that told them of it. A person who
/// has not heard of it does not hear of it now.
func end(
  _ invitation: Invitation, as op: Op, _ drafting: inout Drafting, _ world: inout World
) throws(Halt) {
  let own = StreamID.user(invitation.user)
  let isShown = try world.invitation(invitation.id, in: own)?.stream == invitation.stream
  drafting.addOnce(op, to: invitation.stream)
  guard isShown else { return }
  drafting.addOnce(op, to: own)
  guard let notice = try world.notice(of: invitation) else { return }
  let ended = PersonalOp.noticeEnded(seq: notice.seq, opIndex: notice.opIndex)
  drafting.addOnce(.personal(ended), to: own)
}

extension World {
  /// Returns the notice that told the person of it, as long as it is among their notices. It is the last one: there is
  /// one pending invitation to a place.
  fileprivate mutating func notice(of invitation: Invitation) throws(Halt) -> Notice? {
    let own = StreamID.user(invitation.user)
    let shown = Set(try ranks(of: .notice, in: own).map(\.key))
    return try objects(.notice, in: own).compactMap { object -> Notice? in
      guard case .notice(let it) = object, shown.contains(it.key),
        it.kind == .invited, it.stream == invitation.stream, it.by == invitation.sent.by,
        it.at >= invitation.sent.at
      else { return nil }
      return it
    }.max { ($0.seq, $0.opIndex) < ($1.seq, $1.opIndex) }
  }
}

private func refuse(
  _ letter: InvitationLetter, to receiver: UserID, by caller: Caller, in world: inout World
) throws(Halt) {
  guard receiver != caller.user else {
    throw .refused(.invalid(field: "username", reason: "is yourself"))
  }
  let own = try role(of: caller.user, in: letter.stream, for: .invitation(.send), in: &world)
  try refuseAbove(own, letter.role, "nobody gives a role above their own")
  try world.require([
    .object(letter.stream, ObjectKey(kind: .member, id: receiver.uuid)),
    .objects(.user(receiver), .invitation),
  ])
  guard try world.member(receiver, of: letter.stream)?.role == nil else {
    throw .refused(.exists(field: "username", .member))
  }
  try refuseUnwanted(letter, by: receiver, from: caller, in: &world)
  let now = try world.time(in: letter.stream, at: caller.now)
  let pending = try world.invitations(in: letter.stream)
  let received = try world.invitations(in: .user(receiver))
  guard !pending.contains(where: { $0.user == receiver && !$0.isOver(at: now) }) else {
    throw .refused(.exists(field: "username", .invited))
  }
  guard !pending.contains(where: { $0.id == letter.id }),
    try world.code(letter.id, in: letter.stream) == nil
  else { throw .refused(.exists(field: "id")) }
  guard try invitationsSent(by: caller, in: &world) < Limits.pendingInvitationsPerUserMax else {
    throw .refused(.quota(limit: "invitations", max: Limits.pendingInvitationsPerUserMax))
  }
  let max = Limits.pendingInvitationsReceivedMax
  guard received.count(where: { !$0.isOver(at: now) }) < max, received.count < 2 * max else {
    throw .refused(.quota(limit: "invitationsReceived", max: max))
  }
}

/// Refuses an invitation that the person's settings do not allow, or that they have declined twice already.
private func refuseUnwanted(
  _ letter: InvitationLetter, by receiver: UserID, from caller: Caller, in world: inout World
) throws(Halt) {
  let own = StreamID.user(receiver)
  try world.require([
    .object(own, own.headKey),
    .object(own, ObjectKey(kind: .declines, id: letter.stream.uuid)),
    .object(own, ObjectKey(kind: .block, id: caller.user.uuid)),
  ])
  if try !world.mayInvite(caller.user, receiver) {
    throw .refused(.forbidden("this person takes no invitations from you"))
  }
  guard try world.declines(of: receiver, to: letter.stream) < Limits.declinesMax else {
    throw .refused(.forbidden("this person has declined twice already"))
  }
}

/// Returns the number of pending invitations that the caller has sent, in all places together. They can only be where
/// the caller may still send: a person who loses that right loses them (`dismiss`).
private func invitationsSent(by caller: Caller, in world: inout World) throws(Halt) -> Int {
  let places = try world.memberships(of: caller.user)
    .filter { Permission.allows($0.role, .invitation(.send)) }.map(\.stream)
  try world.require(places.flatMap { [.objects($0, .invitation), .head($0)] })
  var count = 0
  for place in places {
    let now = try world.time(in: place, at: caller.now)
    count += try world.invitations(in: place).count {
      $0.sent.by == caller.user && !$0.isOver(at: now)
    }
  }
  return count
}

/// Makes the caller a member; with a group also of all its categories.
func accept(
  _ id: InvitationID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let invitation = try received(id, by: caller, in: &world)
  guard try !invitation.isOver(at: world.time(in: caller.stream, at: caller.now)) else {
    throw .refused(.notFound("invitation"))
  }
  var drafting = Drafting()
  drafting.add(.invitation(.accepted(id)), to: invitation.stream)
  drafting.add(.invitation(.accepted(id)), to: caller.stream)
  try join(invitation.stream, as: invitation.role, caller.user, &drafting, &world)
  return Decision(drafts: try drafting.drafts())
}

/// Makes a bot a member at once: its owner does not have to be asked twice. An invitation of somebody else that waits
/// there has no meaning any more.
private func letIn(
  _ bot: UserID, with letter: InvitationLetter, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let own = try role(of: caller.user, in: letter.stream, for: .invitation(.send), in: &world)
  try refuseAbove(own, letter.role, "nobody gives a role above their own")
  try world.require([.member(bot, of: letter.stream)])
  guard try world.member(bot, of: letter.stream)?.role == nil else {
    throw .refused(.exists(field: "username", .member))
  }
  var drafting = Drafting()
  try revokeInvitations(to: bot, in: letter.stream, &drafting, &world)
  try join(letter.stream, as: letter.role, bot, &drafting, &world)
  return Decision(drafts: try drafting.drafts())
}

/// Makes a user a member with this role; with a group also of all its categories.
func join(
  _ stream: StreamID, as role: Role, _ user: UserID, _ drafting: inout Drafting,
  _ world: inout World
) throws(Halt) {
  let own = StreamID.user(user)
  try world.require([
    .objects(stream, .member), .head(stream), .profile(user),
    .object(own, ObjectKey(kind: .declines, id: stream.uuid)), .objects(own, .membership),
  ])
  let categories = try categories(givenBy: stream, in: &world)
  let key = ObjectKey(kind: .member, id: user.uuid)
  try world.require(
    ([stream] + categories).flatMap { stream -> [Need] in
      [.object(stream, key), .head(stream)]
    })
  try refuseFull(joining: stream, with: categories, by: user, in: &world)
  if try world.declines(of: user, to: stream) > 0 {
    drafting.add(.personal(.declinesCounted(Declines(stream: stream, times: 0))), to: own)
  }
  let person = try person(user, in: &world)
  try admit(person, to: stream, by: .direct(role), drafting: &drafting, in: &world)
  for category in categories {
    try admit(person, to: category, by: .viaGroup(role), drafting: &drafting, in: &world)
  }
}

/// Refuses a join when a place is full. `membersPerCategoryMax` counts for people with an own invitation. Members of a
/// group, whose number its own limit bounds, are let into its categories beyond it.
private func refuseFull(
  joining stream: StreamID, with categories: [StreamID], by user: UserID, in world: inout World
) throws(Halt) {
  let present = try world.members(of: stream).count { $0.role != nil && $0.id != user }
  switch stream {
  case .category(let id):
    guard try world.category(id)?.removed == nil else { throw .refused(.gone("category")) }
    guard present < Limits.membersPerCategoryMax else {
      throw .refused(.quota(limit: "members", max: Limits.membersPerCategoryMax))
    }
  case .group(let id):
    guard try world.group(id)?.removed == nil else { throw .refused(.gone("group")) }
    guard present < Limits.membersPerGroupMax else {
      throw .refused(.quota(limit: "membersPerGroup", max: Limits.membersPerGroupMax))
    }
  case .user: return
  }
  // Nothing is added in places where the user is already.
  for places in [[stream], categories] {
    var count = 0
    for place in places where try world.member(user, of: place)?.role == nil { count += 1 }
    if count > 0 { try refuseFull(places[0], of: user, adding: count, in: &world) }
  }
}

/// Declines an invitation, also one into a category that is removed by now.
func decline(
  _ id: InvitationID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let invitation = try received(id, by: caller, in: &world)
  var drafting = Drafting()
  drafting.add(.invitation(.declined(id)), to: invitation.stream)
  drafting.add(.invitation(.declined(id)), to: caller.stream)
  if try !invitation.isOver(at: world.time(in: caller.stream, at: caller.now)) {
    let times = try world.declines(of: caller.user, to: invitation.stream) + 1
    let declines = Declines(stream: invitation.stream, times: times)
    drafting.add(.personal(.declinesCounted(declines)), to: caller.stream)
  }
  return Decision(drafts: try drafting.drafts())
}

/// Takes back a pending invitation or a code, also one into a removed place, since it counts for its sender.
func revoke(
  _ id: InvitationID, in stream: StreamID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  _ = try enter(stream, for: .invitation(.revoke), evenRemoved: true, by: caller, in: &world)
  let own = try role(of: caller.user, in: stream, for: .invitation(.revoke), in: &world)
  let reason = "nobody takes back an invitation to a role above their own"
  if let code = try world.code(id, in: stream) {
    try refuseAbove(own, code.role, reason)
    return Decision(drafts: [Draft(stream: stream, ops: [.code(.ended(id))])])
  }
  guard let invitation = try world.invitation(id, in: stream) else {
    throw .refused(.notFound("invitation"))
  }
  try refuseAbove(own, invitation.role, reason)
  var drafting = Drafting()
  try end(invitation, as: .invitation(.revoked(id)), &drafting, &world)
  return Decision(drafts: try drafting.drafts())
}

/// Returns a pending invitation to the caller.
private func received(
  _ id: InvitationID, by caller: Caller, in world: inout World
) throws(Halt) -> Invitation {
  guard let invitation = try world.invitation(id, in: caller.stream) else {
    throw .refused(.notFound("invitation"))
  }
  return invitation
}
