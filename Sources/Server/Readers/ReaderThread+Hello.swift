// hello and sync.open: who is it, which streams, and how each goes on.

internal import Crypto
internal import Domain
internal import Net
internal import Sync
internal import Wire

extension ReaderThread {
  /// Nil when the token is none, or not good any more.
  func session(of token: String, at now: Timestamp) throws(StoreError) -> SessionRecord? {
    guard let token = Base64.decodeURL(token),
      let session = try store.session(tokenHash: sha256(token)),
      SessionAge.isAlive(session, at: now)
    else { return nil }
    return session
  }

  /// Within a read transaction.
  func welcomed(
    _ hello: Hello, _ session: SessionRecord, at now: Timestamp
  ) throws(StoreError) -> Outcome {
    let found = try streams(of: session.user, hello)
    var cursors: [StreamID: CursorPosition] = [:]
    for cursor in hello.cursors { cursors[cursor.stream] = cursor.position }
    var places: [Place] = []
    for (stream, access) in found {
      places.append(try place(stream, access, cursors[stream]))
    }
    let result = HelloFacts.result(
      user: session.user, session: session.id, at: now, streams: places.map(\.status))
    let followsAll = if case .all = hello.streams { true } else { false }
    return .welcome(result, followsAll: followsAll, places.compactMap(\.attachment))
  }

  /// Within a read transaction; in the order asked.
  func opened(_ identity: Identity, _ cursors: [Cursor]) throws(StoreError) -> Outcome {
    var places: [Place] = []
    for cursor in cursors {
      let access = try store.access(of: identity.user, to: cursor.stream)
      places.append(try place(cursor.stream, access, cursor.position))
    }
    return .opened(places.map(\.status), places.compactMap(\.attachment))
  }

  private struct Place {
    let status: StreamStatus
    /// Nil when gone.
    let attachment: Attachment?
  }

  /// The selected streams in stream order, with nil for those that the user may not see: of all, these
  /// are what the client has a copy of and has lost since.
  private func streams(
    of user: UserID, _ hello: Hello
  ) throws(StoreError) -> [(StreamID, StreamAccess?)] {
    switch hello.streams {
    case .none: return []
    case .all:
      let all = try store.streams(of: user).map { ($0.stream, Optional($0)) }
      let seen = Set(all.map(\.0))
      let lost = hello.cursors.map(\.stream).filter { !seen.contains($0) }
      // The own stream is the last in stream order and the one that nobody can do without.
      let kept =
        all.count > Limits.subscriptionsMax
        ? Array(all.prefix(Limits.subscriptionsMax - 1)) + all.suffix(1) : all
      return (kept + lost.map { ($0, nil) }).sorted { $0.0 < $1.0 }
    case .only(let wanted):
      var found: [(StreamID, StreamAccess?)] = []
      for stream in Set(wanted).sorted() {
        found.append((stream, try store.access(of: user, to: stream)))
      }
      return found
    }
  }

  private func place(
    _ stream: StreamID, _ access: StreamAccess?, _ cursor: CursorPosition?
  ) throws(StoreError) -> Place {
    guard let access else {
      return Place(
        status: StreamStatus(stream: stream, epoch: nil, head: nil, mode: .gone), attachment: nil)
    }
    let catchUp = CatchUp.choose(cursor, try standing(access, cursor))
    let start: Attachment.Start =
      switch catchUp {
      case .live, .tail: .after(cursor?.seq ?? 0)
      case .snapshot: .snapshot
      }
    return Place(
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
    // Every event is kept so far, so nothing lies behind the horizon.
    return CatchUpStanding(
      epoch: access.head.epoch, head: access.head.seq, joinedSeq: access.joinedSeq, horizon: 0,
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

/// When a session ends by itself, and when its use is written down.
enum SessionAge {
  static func isAlive(_ session: SessionRecord, at now: Timestamp) -> Bool {
    let unused = now.milliseconds - session.usedAt.milliseconds
    return unused <= Int64(ServerLimits.sessionDays) * 24 * 3_600_000
  }

  static func needsNote(_ session: SessionRecord, at now: Timestamp) -> Bool {
    now.milliseconds - session.usedAt.milliseconds >= ServerLimits.usedEveryMilliseconds
  }
}

/// What every hello is told about this server.
enum HelloFacts {
  static func result(
    user: UserID, session: SessionID, at now: Timestamp, streams: [StreamStatus]
  ) -> HelloResult {
    HelloResult(
      user: user, session: session, time: now,
      server: ServerName(name: "whattodo-server", version: Server.version),
      heartbeat: Heartbeat(pingEveryMilliseconds: 25_000, timeoutMilliseconds: 40_000),
      retry: RetryAdvice(minMilliseconds: 500, maxMilliseconds: 30_000, factor: 2),
      limits: ToldLimit.standard, streams: streams)
  }
}
