package import Domain
package import Wire

/// When a session ends by itself, and when its use is written down.
package enum SessionAge {
  /// The days that a session lives without being used. A token lives until its end, used or not.
  package static let days = 90
  /// The time between two writes of `usedAt`; a day is as exact as anybody needs.
  package static let noteEveryMilliseconds: Int64 = 24 * 3_600_000

  package static func isAlive(_ session: SessionRecord, at now: Timestamp) -> Bool {
    if let token = session.token { return !token.isOver(at: now) }
    let unused = now.milliseconds - session.usedAt.milliseconds
    return unused <= Int64(days) * 24 * 3_600_000
  }

  package static func needsNote(_ session: SessionRecord, at now: Timestamp) -> Bool {
    now.milliseconds - session.usedAt.milliseconds >= noteEveryMilliseconds
  }
}

/// The facts about a server that every hello is told.
package enum HelloFacts {
  package static func result(
    user: UserID, session: SessionID, at now: Timestamp, server: ServerName,
    limits: [ToldLimit] = ToldLimit.standard, streams: [StreamStatus], omitted: Int = 0,
    link: LinkTold? = nil, features: [Feature] = []
  ) -> HelloResult {
    HelloResult(
      user: user, session: session, time: now, server: server,
      heartbeat: Heartbeat(pingEveryMilliseconds: 25_000, timeoutMilliseconds: 40_000),
      retry: RetryAdvice(minMilliseconds: 500, maxMilliseconds: 30_000, factor: 2),
      limits: limits, streams: streams, omitted: omitted, link: link, features: features)
  }
}
