// The reports of bots by hooks (protocol §5.17): whose token it is, and which post is meant. A body is read only when
// its token is good, and not on a loop: a long text takes some milliseconds.

package import Domain
package import Wire

/// The reading of a report.
package enum HookReading: Sendable {
  /// The token is no token of a bot, or not good any more. Nobody learns which.
  case unwelcome
  /// Another reader counts this bot's questions.
  case countedElsewhere(UserID)
  /// `used` is the identity whose token the ledger has to note as used; nil when it has not.
  case read(Result<HookOrder, Failure>, used: Identity?)
}

extension Reader {
  /// The number of ids that are tried for a new post whose name was erased.
  private static var attemptsMax: Int { 100 }

  /// Reads a report. Begins and ends its own read transaction. `counts` says whether the questions of a bot are counted
  /// here.
  package func read(
    _ message: HookMessage, at now: SessionMoment, counts: (UserID) -> Bool
  ) throws(StoreError) -> HookReading {
    try store.read { () throws(StoreError) in
      guard let session = try session(of: message.token, at: now.wall), session.token != nil else {
        return .unwelcome
      }
      guard counts(session.user) else { return .countedElsewhere(session.user) }
      if let wait = questions.tryNow(session.user, .bot, at: now.milliseconds) {
        return .read(.failure(.rateLimited(afterMilliseconds: Int(wait))), used: nil)
      }
      let identity = Identity(
        user: session.user, session: session.id, kind: .bot, token: session.token)
      let order = try message.order(by: identity) { (report, list, names) throws(StoreError) in
        try subject(of: report, in: list, names)
      }
      return .read(order, used: SessionAge.needsNote(session, at: now.wall) ? identity : nil)
    }
  }

  private func subject(
    of report: HookReport, in list: CategoryID, _ names: HookNames
  ) throws(StoreError) -> HookSubject {
    guard let source = report.source else {
      return .new(report.newPost(in: list, names, attempt: 0))
    }
    if let post = try post(of: source, in: list) { return .known(post.id) }
    for attempt in 0..<Reader.attemptsMax {
      let id = report.newPost(in: list, names, attempt: attempt)
      if try stored(id, in: list) == nil { return .new(id) }
    }
    return .new(report.newPost(in: list, names, attempt: 0))
  }

  /// Returns the post that an import of this source would be about.
  private func post(of source: SourceKey, in list: CategoryID) throws(StoreError) -> Post? {
    guard case .domain(.post(let id?))? = try store.load([.domain(.imported(list, source))]).first,
      let post = try stored(id, in: list), post.source?.key == source
    else { return nil }
    return post
  }

  private func stored(_ id: PostID, in list: CategoryID) throws(StoreError) -> Post? {
    let key = ObjectKey(kind: .post, id: id.uuid)
    guard let body = try store.object(key, in: .category(list)),
      case .post(let post) = try object(body)
    else { return nil }
    return post
  }
}
