// Decides the commands about one's own account: registering, recovering, another password, sessions, the profile, the
// end of the account. Server/Authentication decides who may try to sign in, and how often.

func decide(
  _ command: AccountCommand, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  switch command {
  case .register(let it): try register(it, at: caller.now, in: &world)
  case .recover(let user, let password, let generation):
    try recover(user, to: password, by: generation, in: &world)
  case .changePassword(let it): try changePassword(to: it, by: caller, in: &world)
  case .upgrade(let it): try upgrade(to: it, by: caller, in: &world)
  case .delete(let days): try endAccount(after: days, by: caller, in: &world)
  case .keep: try keepAccount(by: caller, in: &world)
  case .closeSession(let session): try close(session, by: caller, in: &world)
  case .editProfile(let edit): try editProfile(edit, by: caller, in: &world)
  case .editSettings(let edit): try editSettings(edit, by: caller, in: &world)
  }
}

/// Makes a user: the account, the first event of `u:`, and the lists that everybody begins with. A guest has no
/// password, and so no recovery code either.
func register(
  _ it: Registration, isGuest: Bool = false, ownedBy owner: UserID? = nil, at now: Timestamp,
  in world: inout World
) throws(Halt) -> Decision {
  try world.require([.account(it.id), .username(it.username)])
  guard it.id != .system, try world.account(it.id) == nil else {
    throw .refused(.exists(field: "id"))
  }
  // Such ids stand for viewers by a link.
  guard !it.id.uuid.isLinkGuest else {
    throw .refused(.invalid(field: "id", reason: "must be a UUID of RFC 9562"))
  }
  try refuseKnown(it.id.uuid, in: &world)
  if !isGuest { try refuseGuestName(it.username) }
  guard try world.user(named: it.username) == nil else {
    throw .refused(.exists(field: "username"))
  }
  let generation = it.password.isNone ? nil : 1
  try refuseEnded(it.mark, in: &world)
  var accounts: [AccountChange] = [
    .added(
      Account(
        id: it.id, username: it.username, password: it.password,
        recoveryGeneration: generation ?? 0,
        owner: owner))
  ]
  if let code = it.code {
    accounts.append(try spend(code, by: it.id, in: &world))
  }
  var profile = Profile(
    id: it.id, username: it.username, name: it.name, location: "", zone: it.zone, kind: it.kind,
    registeredAt: now)
  profile.isGuest = isGuest
  profile.owner = owner
  var drafting = Drafting()
  drafting.add(.account(.registered(profile)), to: .user(it.id))
  for list in it.lists {
    try add(list, of: profile, at: now, &drafting, &world)
  }
  return Decision(drafts: try drafting.drafts(), accounts: accounts, generation: generation)
}

func spend(
  _ code: String, by user: UserID, in world: inout World
) throws(Halt) -> AccountChange {
  guard try !world.isSpent(code) else {
    throw .refused(.invalid(field: "code", reason: "was used already"))
  }
  return .codeSpent(code, by: user)
}

/// Refuses a username whose account has ended: nobody gets it again. `mark` is what it would be known by.
func refuseEnded(_ mark: String?, in world: inout World) throws(Halt) {
  guard let mark, try world.isSpent(mark) else { return }
  throw .refused(.exists(field: "username"))
}

/// Refuses usernames of guests. A guest's username stays in what others have, so nobody may have it afterwards.
func refuseGuestName(_ username: String) throws(Halt) {
  guard username.hasPrefix(NewGuest.usernamePrefix) else { return }
  throw .refused(.invalid(field: "username", reason: "is kept for guests"))
}

private func add(
  _ list: FirstList, of owner: Profile, at now: Timestamp, _ drafting: inout Drafting,
  _ world: inout World
) throws(Halt) {
  try refuseKnown(list.id.uuid, in: &world)
  let stream = StreamID.category(list.id)
  var category = Category(
    id: list.id, name: list.name, group: nil, added: Stamp(at: now, by: owner.id))
  category.zone = owner.zone
  drafting.add(.category(.added(category)), to: stream)
  try admit(Person(owner), to: stream, by: .direct(.owner), drafting: &drafting, in: &world)
}

/// Sets a new password by the recovery code of `generation`, which is spent by it, and closes all sessions. The tokens
/// of a bot stay: nobody gets one by a password.
func recover(
  _ user: UserID, to password: PasswordHash, by generation: Int, in world: inout World
) throws(Halt) -> Decision {
  try world.require([.account(user), .sessions(user)])
  guard let account = try world.account(user), account.recoveryGeneration == generation else {
    throw .refused(.unauthenticated)
  }
  let closed = try world.signIns(of: user).map(\.id)
  return Decision(
    accounts: [.recovered(user, password, generation: generation + 1)]
      + (closed.isEmpty ? [] : [.sessionsClosed(closed, of: user)]),
    generation: generation + 1)
}

/// Sets a new password and closes all other sessions. The ledger checks the old one.
func changePassword(
  to password: PasswordHash, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  try world.require([.account(caller.user), .sessions(caller.user)])
  guard try world.account(caller.user) != nil else { throw .refused(.unauthenticated) }
  let closed = try world.signIns(of: caller.user).map(\.id).filter { $0 != caller.session }
  return Decision(
    accounts: [.passwordChanged(caller.user, password)]
      + (closed.isEmpty ? [] : [.sessionsClosed(closed, of: caller.user)]))
}

func close(
  _ session: SessionID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  guard try world.signIns(of: caller.user).contains(where: { $0.id == session }) else {
    throw .refused(.notFound("session"))
  }
  return Decision(accounts: [.sessionsClosed([session], of: caller.user)])
}

/// Sets fields of the caller's profile. Another name is told in every category and group of the person.
func editProfile(
  _ edit: ProfileEdit, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  try world.require([
    .object(caller.stream, ObjectKey(kind: .profile, id: caller.user.uuid)), .head(caller.stream),
  ])
  guard let profile = try world.profile(of: caller.user) else {
    throw .refused(.notFound("user"))
  }
  let news = ProfileEdit(
    name: edit.name == profile.name ? nil : edit.name,
    location: edit.location == profile.location ? nil : edit.location,
    zone: edit.zone == profile.zone ? nil : edit.zone,
    invitedBy: edit.invitedBy == profile.invitedBy ? nil : edit.invitedBy,
    locale: edit.locale == profile.locale ? nil : edit.locale)
  guard news != ProfileEdit() else { return Decision() }
  var drafting = Drafting()
  var accounts: [AccountChange] = []
  drafting.add(.account(.edited(news)), to: caller.stream)
  if let name = news.name {
    accounts.append(try tellName(name, of: caller.user, after: nil, &drafting, &world))
  }
  return Decision(drafts: try drafting.drafts(), accounts: accounts)
}
