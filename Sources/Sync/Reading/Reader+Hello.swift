// hello and sync.open: who the client is, which streams it gets, and how each goes on.

package import Domain
package import Wire

/// The result of a hello.
package enum Greeting: Sendable {
  /// The token is unknown, or not valid any more.
  case unwelcome
  /// Another reader counts this user's hellos.
  case countedElsewhere(UserID)
  /// The answer. `used` is the identity whose session the ledger has to note as used; nil when it has not.
  case outcome(RequestOutcome, used: Identity?)
}

/// A stream that somebody asked for.
private struct OpenedStream {
  let status: StreamStatus
  /// The attachment to the stream; nil when it is gone.
  let attachment: Attachment?
}

extension Reader {
  /// Answers a hello. Begins and ends its own read transaction. `counts` says whether the hellos of a user are counted
  /// here.
  package func greet(
    _ hello: Hello, at now: SessionMoment, counts: (UserID) -> Bool
  ) throws(StoreError) -> Greeting {
    try store.read { () throws(StoreError) in
      if let link = hello.link { return try greet(hello, by: link, at: now, counts: counts) }
      guard let session = try session(of: hello.token, at: now.wall) else { return .unwelcome }
      guard counts(session.user) else { return .countedElsewhere(session.user) }
      if let wait = hellos.tryNow(session.user, at: now.milliseconds) {
        return .outcome(.failed(.rateLimited(afterMilliseconds: Int(wait))), used: nil)
      }
      let kind = try profile(of: session.user)?.kind ?? .person
      let used = Identity(
        user: session.user, session: session.id, kind: kind, token: session.token)
      return .outcome(
        try welcomed(hello, used, at: now.wall),
        used: SessionAge.needsNote(session, at: now.wall) ? used : nil)
    }
  }

  /// Answers the hello of a link. Nothing is noted, because a link has no session. Call it within a read transaction.
  private func greet(
    _ hello: Hello, by link: String, at now: SessionMoment, counts: (UserID) -> Bool
  ) throws(StoreError) -> Greeting {
    guard let (guest, told) = try guest(of: link, at: now.wall) else { return .unwelcome }
    guard counts(guest) else { return .countedElsewhere(guest) }
    if let wait = linkHellos.tryNow(guest, at: now.milliseconds) {
      return .outcome(.failed(.rateLimited(afterMilliseconds: Int(wait))), used: nil)
    }
    let identity = Identity(
      user: guest, session: SessionID(guest.uuid), linkEndsAt: told.endsAt)
    return .outcome(try welcomed(hello, identity, at: now.wall, by: told), used: nil)
  }

  /// Answers a sync.open, in the order asked. Begins and ends its own read transaction.
  package func open(
    _ identity: Identity, _ cursors: [Cursor]
  ) throws(StoreError) -> RequestOutcome {
    try store.read { () throws(StoreError) in try opened(identity, cursors) }
  }

  /// Returns the session of a token; nil when the token is unknown, or not valid any more.
  func session(
    of token: String, at now: Timestamp
  ) throws(StoreError) -> SessionRecord? {
    guard let hash = tools.tokenHash(token), let session = try store.session(tokenHash: hash),
      SessionAge.isAlive(session, at: now), isOfPresentSecret(session)
    else { return nil }
    return session
  }

  /// Answers whether the text of a token is still that which the store's secret gives. Another secret ends all tokens.
  private func isOfPresentSecret(_ session: SessionRecord) -> Bool {
    guard let token = session.token else { return true }
    return tools.tokenHash(tools.codes.token(token.id, session.user)) == session.tokenHash
  }

  /// Returns the welcome of an identity. Call it within a read transaction.
  private func welcomed(
    _ hello: Hello, _ identity: Identity, at now: Timestamp, by link: LinkTold? = nil
  ) throws(StoreError) -> RequestOutcome {
    let (found, omitted) = try streams(of: identity, hello)
    var cursors: [StreamID: CursorPosition] = [:]
    for cursor in hello.cursors { cursors[cursor.stream] = cursor.position }
    var streams: [OpenedStream] = []
    for (stream, access) in found {
      streams.append(try place(stream, access, cursors[stream]))
    }
    let result = HelloFacts.result(
      user: identity.user, session: identity.session, at: now, server: tools.server,
      limits: limits(of: identity.kind), streams: streams.map(\.status), omitted: omitted,
      link: link, features: Feature.allCases.filter { hello.features.contains($0.rawValue) })
    let isForAll = if case .all = hello.streams { true } else { false }
    return .welcome(
      result, identity, followsAll: isForAll, streams.compactMap(\.attachment))
  }

  /// Returns the answer to a sync.open, in the order asked. Call it within a read transaction.
  private func opened(_ identity: Identity, _ cursors: [Cursor]) throws(StoreError)
    -> RequestOutcome
  {
    let found = try accesses(of: identity, to: cursors.map(\.stream))
    var streams: [OpenedStream] = []
    for cursor in cursors {
      streams.append(try place(cursor.stream, found[cursor.stream], cursor.position))
    }
    return .opened(streams.map(\.status), streams.compactMap(\.attachment))
  }

  /// Returns the selected streams in stream order, with nil for those that the user may not see. When all are selected,
  /// the latter are streams of which the client has a copy and that it has lost since. `omitted` is the number of
  /// streams beyond the maximum that one may follow.
  private func streams(
    of identity: Identity, _ hello: Hello
  ) throws(StoreError) -> (found: [(StreamID, StreamAccess?)], omitted: Int) {
    switch hello.streams {
    case .none: return ([], 0)
    case .all:
      let all = try store.streams(of: identity.user).filter { identity.shows($0.stream) }
        .map { ($0.stream, Optional($0)) }
      let seen = Set(all.map(\.0))
      let lost = hello.cursors.map(\.stream).filter { !seen.contains($0) }
      // The own stream is the last in stream order, and every client needs it that is shown it.
      let kept =
        all.count > subscriptionsMax ? Array(all.prefix(subscriptionsMax - 1)) + all.suffix(1) : all
      return (
        (kept + lost.map { ($0, nil) }).sorted { $0.0 < $1.0 }, omitted: all.count - kept.count
      )
    case .only(let wanted):
      let found = try accesses(of: identity, to: wanted)
      return (Set(wanted).sorted().map { ($0, found[$0]) }, omitted: 0)
    }
  }

  /// Returns the access to those streams that the connection may see. A few are looked up; for many, one query reads
  /// all that the user has.
  private func accesses(
    of identity: Identity, to asked: [StreamID]
  ) throws(StoreError) -> [StreamID: StreamAccess] {
    let (user, wanted) = (identity.user, asked.filter(identity.shows))
    var found: [StreamID: StreamAccess] = [:]
    if wanted.count > ReadingLimits.lookupsMax {
      for access in try store.streams(of: user) where identity.shows(access.stream) {
        found[access.stream] = access
      }
    } else {
      for stream in wanted { found[stream] = try store.access(of: user, to: stream) }
    }
    return found
  }

  private func place(
    _ stream: StreamID, _ access: StreamAccess?, _ cursor: CursorPosition?
  ) throws(StoreError) -> OpenedStream {
    guard let access else {
      return OpenedStream(
        status: StreamStatus(stream: stream, epoch: nil, head: nil, mode: .gone), attachment: nil)
    }
    let catchUp = CatchUp.choose(cursor, try standing(access, cursor))
    let start: Attachment.Start =
      switch catchUp {
      case .live, .tail: .after(cursor?.seq ?? 0)
      case .snapshot: .snapshot
      }
    return OpenedStream(
      status: status(access, catchUp),
      attachment: Attachment(
        stream: stream, epoch: access.head.epoch, head: access.head.seq,
        joinedSeq: access.joinedSeq, start: start))
  }

  private func standing(
    _ access: StreamAccess, _ cursor: CursorPosition?
  ) throws(StoreError) -> CatchUpStanding {
    var transaction: TransactionID?
    if let seq = cursor?.seq, seq > 0, seq <= access.head.seq {
      transaction =
        seq == access.head.seq
        ? access.head.transaction
        : try store.transaction(at: StreamPosition(stream: access.stream, seq: seq))
    }
    return CatchUpStanding(
      epoch: access.head.epoch, head: access.head.seq, joinedSeq: access.joinedSeq,
      horizon: access.head.horizon,
      transactionAtCursor: transaction)
  }

  private func status(_ access: StreamAccess, _ catchUp: CatchUp) -> StreamStatus {
    let (mode, reason): (StreamMode, SnapshotReason?) =
      switch catchUp {
      case .live: (.live, nil)
      case .tail: (.tail, nil)
      case .snapshot(let reason): (.snapshot, reason)
      }
    return StreamStatus(
      stream: access.stream, epoch: access.head.epoch, head: access.head.seq, mode: mode,
      reason: reason)
  }
}
