// The typed questions to a world. Each throws `.needs` when the answer is not loaded.
extension World {
  package mutating func head(of stream: StreamID) throws(Halt) -> StreamHead? {
    guard case .head(let head) = try answer(headOf: stream) else { unexpected() }
    return head
  }

  /// Returns the time of the event that this batch writes next to the stream. It is never earlier than that of the
  /// event before.
  mutating func time(in stream: StreamID, at now: Timestamp) throws(Halt) -> Timestamp {
    max(now, try head(of: stream)?.at ?? now)
  }

  mutating func nextSeq(of stream: StreamID) throws(Halt) -> Int64 {
    let seq = try head(of: stream)?.seq ?? 0
    return isTryingOut(stream) ? seq : seq + 1
  }

  mutating func object(_ key: ObjectKey, in stream: StreamID) throws(Halt) -> Object? {
    guard case .object(let object) = try answer(key, in: stream) else { unexpected() }
    return object
  }

  mutating func objects(_ kind: ObjectKind, in stream: StreamID) throws(Halt) -> [Object] {
    guard case .objects(let objects) = try answer(.objects(stream, kind)) else { unexpected() }
    return objects
  }

  mutating func ranks(of kind: ObjectKind, in stream: StreamID) throws(Halt) -> [Rank] {
    guard case .ranks(let ranks) = try answer(.ranks(stream, kind)) else { unexpected() }
    return ranks
  }

  mutating func user(named username: String) throws(Halt) -> UserID? {
    guard case .user(let user) = try answer(.username(username)) else { unexpected() }
    return user
  }

  package mutating func account(_ id: UserID) throws(Halt) -> Account? {
    guard case .account(let account) = try answer(.account(id)) else { unexpected() }
    return account
  }

  /// Returns the sessions of a user in the order of their ids.
  mutating func sessions(of user: UserID) throws(Halt) -> [SessionRecord] {
    guard case .sessions(let sessions) = try answer(.sessions(user)) else { unexpected() }
    return sessions
  }

  /// Returns the webhooks of a bot in the order of their ids.
  mutating func webhooks(of bot: UserID) throws(Halt) -> [Webhook] {
    guard case .webhooks(let webhooks) = try answer(.webhooks(bot)) else { unexpected() }
    return webhooks
  }

  /// Returns the bots that a person owns, in the order of their ids.
  mutating func bots(of owner: UserID) throws(Halt) -> [UserID] {
    guard case .users(let bots) = try answer(.bots(owner)) else { unexpected() }
    return bots
  }

  mutating func isSpent(_ code: String) throws(Halt) -> Bool {
    guard case .flag(let spent) = try answer(.codeSpent(code)) else { unexpected() }
    return spent
  }

  mutating func trails(at position: StreamPosition) throws(Halt) -> [PostTrail] {
    guard case .trails(let trails) = try answer(.trails(position)) else { unexpected() }
    return trails
  }

  /// Returns the open posts that may come next, with those that this batch changes; these are asked about further.
  mutating func queue(of category: CategoryID, for user: UserID) throws(Halt) -> [QueuedPost] {
    guard case .queue(let posts) = try answer(.queue(category, for: user)) else { unexpected() }
    let staged = stagedPosts(in: category)
    let changed = Set(staged.map(\.id))
    return
      (posts.filter { !changed.contains($0.id) }
      + staged.filter { $0.completed == nil && $0.removed == nil }.map { QueuedPost($0) }).sorted()
  }

  mutating func past(_ position: StreamPosition) throws(Halt) -> PastEvent? {
    guard case .past(let past) = try answer(.past(position)) else { unexpected() }
    return past
  }

  mutating func events(
    ofCommand key: CommandKey, by user: UserID, home: StreamID
  ) throws(Halt) -> [StreamPosition] {
    let need = Need.commandEvents(home: home, by: user, key)
    guard case .positions(let positions) = try answer(need) else { unexpected() }
    return positions
  }

  // MARK: Objects by their own type

  package mutating func category(_ id: CategoryID) throws(Halt) -> Category? {
    let key = ObjectKey(kind: .category, id: id.uuid)
    guard case .category(let it) = try object(key, in: .category(id)) else { return nil }
    return it
  }

  mutating func group(_ id: GroupID) throws(Halt) -> Group? {
    let key = ObjectKey(kind: .group, id: id.uuid)
    guard case .group(let it) = try object(key, in: .group(id)) else { return nil }
    return it
  }

  /// Answers whether the category or group is removed. False when it does not exist.
  mutating func isRemoved(_ stream: StreamID) throws(Halt) -> Bool {
    switch stream {
    case .category(let id): try category(id)?.removed != nil
    case .group(let id): try group(id)?.removed != nil
    case .user: false
    }
  }

  mutating func profile(of user: UserID) throws(Halt) -> Profile? {
    let key = ObjectKey(kind: .profile, id: user.uuid)
    guard case .profile(let it) = try object(key, in: .user(user)) else { return nil }
    return it
  }

  /// Returns a member, also one who has left.
  mutating func member(_ user: UserID, of stream: StreamID) throws(Halt) -> Member? {
    let key = ObjectKey(kind: .member, id: user.uuid)
    guard case .member(let it) = try object(key, in: stream) else { return nil }
    return it
  }

  package mutating func post(_ id: PostID, in category: CategoryID) throws(Halt) -> Post? {
    let key = ObjectKey(kind: .post, id: id.uuid)
    guard case .post(let it) = try object(key, in: .category(category)) else { return nil }
    return it
  }

  mutating func tag(_ id: TagID, of stream: StreamID) throws(Halt) -> Tag? {
    let key = ObjectKey(kind: .tag, id: id.uuid)
    guard case .tag(let it) = try object(key, in: stream) else { return nil }
    return it
  }

  mutating func invitation(_ id: InvitationID, in stream: StreamID) throws(Halt) -> Invitation? {
    let key = ObjectKey(kind: .invitation, id: id.uuid)
    guard case .invitation(let it) = try object(key, in: stream) else { return nil }
    return it
  }

  mutating func code(_ id: InvitationID, in stream: StreamID) throws(Halt) -> InvitationCode? {
    let key = ObjectKey(kind: .invitationCode, id: id.uuid)
    guard case .invitationCode(let it) = try object(key, in: stream) else { return nil }
    return it
  }

  mutating func codes(in stream: StreamID) throws(Halt) -> [InvitationCode] {
    try objects(.invitationCode, in: stream).compactMap {
      guard case .invitationCode(let it) = $0 else { return nil }
      return it
    }
  }

  mutating func links(in stream: StreamID) throws(Halt) -> [GuestLink] {
    try objects(.link, in: stream).compactMap {
      guard case .link(let it) = $0 else { return nil }
      return it
    }
  }

  mutating func readMark(on stream: StreamID, of user: UserID) throws(Halt) -> ReadMark? {
    let key = ObjectKey(kind: .readMark, id: stream.uuid)
    guard case .readMark(let it) = try object(key, in: .user(user)) else { return nil }
    return it
  }

  /// Returns the members in the order of their ids, also those who have left.
  mutating func members(of stream: StreamID) throws(Halt) -> [Member] {
    try objects(.member, in: stream).compactMap {
      guard case .member(let it) = $0 else { return nil }
      return it
    }
  }

  /// Returns the tags in the order of their ids.
  mutating func tags(of stream: StreamID) throws(Halt) -> [Tag] {
    try objects(.tag, in: stream).compactMap {
      guard case .tag(let it) = $0 else { return nil }
      return it
    }
  }

  mutating func invitations(in stream: StreamID) throws(Halt) -> [Invitation] {
    try objects(.invitation, in: stream).compactMap {
      guard case .invitation(let it) = $0 else { return nil }
      return it
    }
  }

  mutating func memberships(of user: UserID) throws(Halt) -> [Membership] {
    try objects(.membership, in: .user(user)).compactMap {
      guard case .membership(let it) = $0 else { return nil }
      return it
    }
  }

  mutating func categories(of group: GroupID) throws(Halt) -> [CategoryID] {
    try objects(.groupCategory, in: .group(group)).compactMap {
      guard case .groupCategory(let it) = $0 else { return nil }
      return it.id
    }
  }

  /// Ends the program. `provide` and `stage` keep answers and needs together, so no answer is of another case.
  private func unexpected() -> Never { preconditionFailure("an answer to another question") }

  // MARK: Partial states

  /// Returns the part of a stream's state that is needed to apply these ops.
  package mutating func state(of stream: StreamID, for ops: [Op]) throws(Halt) -> StreamState {
    let draft = Draft(stream: stream, ops: ops)
    let (keys, kinds) = (draft.keys, draft.rankedKinds)
    try require(draft.needs(keys, kinds))
    var objects: [Object] = []
    for key in keys {
      if let object = try object(key, in: stream) { objects.append(object) }
    }
    var ranks: [Rank] = []
    for kind in kinds { ranks += try self.ranks(of: kind, in: stream) }
    if kinds.count > 1 { ranks.sort() }
    return StreamState(partial: stream, objects: objects, ranks: ranks)
  }
}

extension Draft {
  /// The answers that must be loaded to apply the draft.
  package var needs: [Need] { needs(keys, rankedKinds) }

  fileprivate var keys: [ObjectKey] { ops.flatMap { $0.touches(in: stream) } }

  /// The kinds of ranks that are needed, each once, in the order of the ops.
  fileprivate var rankedKinds: [ObjectKind] {
    var kinds: [ObjectKind] = []
    for op in ops {
      for kind in op.rankedKinds(in: stream) where !kinds.contains(kind) { kinds.append(kind) }
    }
    return kinds
  }

  fileprivate func needs(_ keys: [ObjectKey], _ rankedKinds: [ObjectKind]) -> [Need] {
    var needs: [Need] = [.head(stream)]
    needs.reserveCapacity(keys.count + 2)
    for key in keys { needs.append(.object(stream, key)) }
    for kind in rankedKinds { needs.append(.ranks(stream, kind)) }
    return needs
  }
}
