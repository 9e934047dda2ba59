// Requests that change nothing. Each is answered from one moment of the store (notifications: from one moment for each
// list). The asker may read only what a member may; everything else does not exist for them.

import Domain
package import Wire

extension Reader {
  /// Answers a query. Begins and ends its own read transactions.
  package func answer(
    _ id: RequestID, _ identity: Identity, _ query: Query, at moment: SessionMoment
  ) throws(StoreError) -> RequestOutcome {
    if let wait = wait(before: query, of: identity, at: moment.milliseconds) {
      return .failed(.rateLimited(afterMilliseconds: Int(wait)))
    }
    return switch query {
    case .sessions:
      try store.read { () throws(StoreError) in .answer(try sessions(id, identity, at: moment.wall))
      }
    case .profile: try store.read { () throws(StoreError) in try profile(id, identity) }
    case .bots: try store.read { () throws(StoreError) in try bots(id, identity) }
    case .posts(let query):
      try store.read { () throws(StoreError) in try posts(id, identity, query) }
    case .removedCategories:
      .answer(Answer.categories(id, bodies: try store.removedCategories(of: identity.user)))
    case .badges(let query): try badges(id, identity, query)
    case .members(let stream):
      try store.read { () throws(StoreError) in try members(id, identity, stream) }
    case .codes(let stream):
      try store.read { () throws(StoreError) in try codes(id, identity, stream, at: moment.wall) }
    case .links(let category):
      try store.read { () throws(StoreError) in try links(id, identity, category, at: moment.wall) }
    case .notifications(let limit):
      .answer(
        ShortAnswer.notifications(
          id,
          try notifications(
            of: identity.user, limit, ReadingLimits.newsOfRequest, at: moment.wall)))
    case .history(let query): try history(id, identity, query, at: moment.wall)
    case .search(let query): try search(id, identity, query)
    case .view(let query): try view(id, identity, query, at: moment.wall)
    case .agenda(let query): try agenda(id, identity, query, at: moment.wall)
    case .twins(let query): try twins(id, identity, query)
    case .digest(let query): try digest(id, identity, query, at: moment.wall)
    case .stats(let query): try stats(id, identity, query, at: moment.wall)
    case .export(let place): try export(id, identity, from: place)
    }
  }

  /// Charges the user for a query by the time that it took: an expensive question counts as several.
  package func charge(
    _ query: Query, of identity: Identity, nanoseconds: Int64, at now: Int64
  ) {
    switch query {
    case .history, .search, .view, .agenda, .twins, .badges, .digest, .stats:
      looks.charge(
        identity.user, Int(nanoseconds / 1_000_000) / Limits.millisecondsPerLook - 1, at: now)
    case .export: break
    case .posts, .removedCategories, .members, .codes, .links, .bots, .notifications:
      let requests = Limits.requests(taking: nanoseconds) - 1
      questions.charge(identity.user, identity.kind, requests, at: now)
    case .sessions, .profile: break
    }
  }

  /// Returns the wait before a query may be asked. Rates hold over all connections of the user (§13), because others
  /// wait for the same readers.
  private func wait(before query: Query, of identity: Identity, at now: Int64) -> Int64? {
    let user = identity.user
    return switch query {
    case .history, .search, .view, .agenda, .twins, .badges, .digest, .stats:
      looks.tryNow(user, at: now)
    case .export: exports.tryNow(user, at: now)
    case .posts, .removedCategories, .members, .codes, .links, .bots, .notifications:
      questions.tryNow(user, identity.kind, at: now)
    case .sessions, .profile: nil
    }
  }

  private func sessions(
    _ id: RequestID, _ identity: Identity, at now: Timestamp
  ) throws(StoreError) -> [UInt8] {
    let alive = try store.sessions(of: identity.user).filter {
      $0.token == nil && SessionAge.isAlive($0, at: now)
    }
    let lines = alive.map {
      SessionLine(
        id: $0.id, client: $0.client, openedAt: $0.openedAt, usedAt: $0.usedAt,
        current: $0.id == identity.session)
    }
    return Answer.sessions(id, lines)
  }

  private func profile(_ id: RequestID, _ identity: Identity) throws(StoreError) -> RequestOutcome {
    guard let profile = try profile(of: identity.user) else {
      return .failed(.refused(.notFound("user")))
    }
    return .answer(Answer.profile(id, profile))
  }

  func profile(of user: UserID) throws(StoreError) -> Profile? {
    let key = ObjectKey(kind: .profile, id: user.uuid)
    guard let body = try store.object(key, in: .user(user)),
      case .profile(let profile) = try object(body)
    else { return nil }
    return profile
  }

  private func posts(
    _ id: RequestID, _ identity: Identity, _ query: PostsQuery
  ) throws(StoreError) -> RequestOutcome {
    let stream = StreamID.category(query.category)
    if let failure = try refusal(identity, stream, .query(.posts)) { return .failed(failure) }
    let shelf: PostShelf =
      switch query.show {
      case .open: .open
      case .done: .done
      case .removed: .removed
      }
    // One post more than asked for tells whether there is a next page.
    let found = try store.posts(
      in: query.category, on: shelf, before: query.before, limit: query.limit + 1)
    var page = page(of: found, query.limit)
    var before: Int?
    if found.count > page.count, let last = page.last, case .post(let post) = try object(last) {
      before = post.number
    }
    if query.show == .removed, let beginning = try beginningOfBin(for: identity.user, in: stream) {
      page = try bin(page, after: beginning)
    }
    return .answer(Answer.posts(id, bodies: page, before: before))
  }

  /// Returns the moment at which the bin begins for a member; nil when they see all of it. In a list whose history is
  /// `joined`, it is the event that let them in, or the oldest that is kept, because what was removed before belongs to
  /// the past that they may not read. A removed post has a time but no event number, so posts that were removed in the
  /// same millisecond are left out too.
  func beginningOfBin(
    for user: UserID, in stream: StreamID
  ) throws(StoreError) -> Timestamp? {
    guard let body = try store.object(stream.headKey, in: stream),
      case .category(let category) = try object(body), category.history == .joined,
      let access = try store.access(of: user, to: stream), access.joinedSeq > 1
    else { return nil }
    let first = max(access.joinedSeq, access.head.horizon + 1)
    let found = try store.events(in: stream, after: first - 1, through: first, bytesMax: 1)
    guard let stored = found.first else { return nil }
    return try stored.decoded().at
  }

  private func bin(
    _ bodies: [[UInt8]], after beginning: Timestamp
  ) throws(StoreError) -> [[UInt8]] {
    var left: [[UInt8]] = []
    for body in bodies {
      guard case .post(let post) = try object(body), let removed = post.removed else { continue }
      if removed.at > beginning { left.append(body) }
    }
    return left
  }

  /// Returns as many as were asked for and fit into a page, at least one.
  private func page(of bodies: [[UInt8]], _ limit: Int) -> [[UInt8]] {
    var bytes = 0
    let fitting = bodies.prefix { body in
      defer { bytes += body.count }
      return bytes == 0 || bytes + body.count <= Limits.pageBytesMax
    }
    return Array(fitting.prefix(limit))
  }

  private func members(
    _ id: RequestID, _ identity: Identity, _ stream: StreamID
  ) throws(StoreError) -> RequestOutcome {
    if let failure = try refusal(identity, stream, .query(.members)) { return .failed(failure) }
    var did: [UserID: MemberTally] = [:]
    if case .category(let category) = stream {
      for tally in try store.tallies(of: category) { did[tally.user] = tally }
    }
    var lines: [MemberLine] = []
    for body in try store.objects(.member, in: stream) {
      guard case .member(let member) = try object(body) else { continue }
      lines.append(
        MemberLine(
          id: member.id, username: member.username, name: member.name, kind: member.kind,
          role: member.role, added: did[member.id]?.added ?? 0,
          completed: did[member.id]?.completed ?? 0, joinedSeq: member.joinedSeq,
          isGuest: member.isGuest))
    }
    return .answer(ShortAnswer.members(id, lines))
  }

  /// Returns the codes for roles that the asker may give.
  private func codes(
    _ id: RequestID, _ identity: Identity, _ stream: StreamID, at now: Timestamp
  ) throws(StoreError) -> RequestOutcome {
    if let failure = try refusal(identity, stream, .query(.codes)) { return .failed(failure) }
    let own = try store.access(of: identity.user, to: stream)?.role ?? .viewer
    var lines: [CodeLine] = []
    for body in try store.objects(.invitationCode, in: stream) {
      guard case .invitationCode(let it) = try object(body), !it.isOver(at: now), it.role <= own
      else { continue }
      lines.append(CodeLine(invitation: it, code: tools.codes.text(it.id, stream)))
    }
    return .answer(Answer.codes(id, lines))
  }

  private func history(
    _ id: RequestID, _ identity: Identity, _ query: HistoryQuery, at now: Timestamp
  ) throws(StoreError) -> RequestOutcome {
    try store.read { () throws(StoreError) in
      try historyAtOnce(id, identity, query, at: now)
    }
  }

  private func historyAtOnce(
    _ id: RequestID, _ identity: Identity, _ query: HistoryQuery, at now: Timestamp
  ) throws(StoreError) -> RequestOutcome {
    if let failure = try refusal(identity, query.stream, query.method) { return .failed(failure) }
    switch try store.history(query, for: identity.actor, at: now) {
    case .success(let answer): return .answer(Answer.history(id, answer))
    case .failure(let refusal): return .failed(.refused(refusal))
    }
  }

  /// Returns nil when a member's role allows the method on the stream, else the failure.
  func refusal(
    _ identity: Identity, _ stream: StreamID, _ method: Method
  ) throws(StoreError) -> Failure? {
    guard let access = try store.access(of: identity.user, to: stream) else {
      return .refused(.notFound(stream.noun))
    }
    guard Permission.allows(access.role, method) else {
      return .refused(
        .forbidden("the role \(access.role.word) does not allow \(method.name) here"))
    }
    return nil
  }

  func object(_ body: [UInt8]) throws(StoreError) -> Object { try store.decodedObject(body) }
}
