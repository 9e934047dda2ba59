// The messages between the threads: Sendable values through mailboxes. Nothing else is shared.

internal import Domain
internal import Net
internal import Sync
internal import WebSocket
internal import Wire

/// A message to a loop.
enum LoopMessage: Sendable {
  case batch(LedgerBatch)
  case outcome(ReplyAddress, RequestOutcome)
  case read(HubRead, HubReadAnswer<SharedFrame>)
  case page(ConnectionID, HTTPReply)
  /// A report as a reader has read it.
  case hook(ConnectionID, Result<HookOrder, Failure>)
  /// The notes of connections of another loop, about things that hold for a moment.
  case ephemeral([EphemeralNote])
}

/// The part of one commit of the ledger that concerns one loop.
struct LedgerBatch: Sendable {
  var answers: [(to: ReplyAddress, outcome: RequestOutcome)]
  /// The news, the same for all loops.
  let news: [StreamNews<SharedFrame>]
  let closedSessions: [SessionID]
}

/// A message to the ledger thread.
enum LedgerMessage: Sendable {
  case work(LedgerWork, LedgerReply)
  /// A session's first connection on a loop; `disconnected` is the end of its last one.
  case connected(SessionID)
  case disconnected(SessionID)
  /// Somebody says how far they have come with a post.
  case heard(RunWord)
  case stop
}

/// A message to a reader thread.
enum ReaderMessage: Sendable {
  case hello(ReplyAddress, Hello)
  case open(ReplyAddress, Identity, [Cursor])
  case query(ReplyAddress, RequestID, Identity, Query)
  case watch(loop: Int, HubRead)
  case calendar(loop: Int, ConnectionID, CalendarRequest)
  case hook(loop: Int, ConnectionID, HookMessage)
  case stop
}

/// The mailboxes of all threads of a server, and the counters of the threads.
struct Mailboxes: Sendable {
  let loops: [Mailbox<LoopMessage>]
  let ledger: Mailbox<LedgerMessage>
  let readers: [Mailbox<ReaderMessage>]
  let authenticator: Mailbox<AuthenticatorMessage>
  let hashers: [Mailbox<HashMessage>]
  let certificate: Mailbox<CertificateMessage>
  let courier: Mailbox<CourierMessage>
  let log: Mailbox<LogMessage>
  let counters: ServerCounters

  init(loops: Int, readers: Int, hashers: Int) throws(NetError) {
    self.loops = try makeMailboxes(loops)
    ledger = try Mailbox()
    self.readers = try makeMailboxes(readers)
    authenticator = try Mailbox()
    self.hashers = try makeMailboxes(hashers)
    certificate = try Mailbox()
    courier = try Mailbox()
    log = try Mailbox()
    counters = ServerCounters(loops: loops, readers: readers, hashers: hashers)
  }

  /// Returns the reader of a stream. It is always the same, so that the stream's snapshots are cached once.
  func reader(of stream: StreamID) -> Mailbox<ReaderMessage> {
    readers[Int(stream.uuid.bytes[15]) % readers.count]
  }

  /// Returns the index of the reader that counts a user's hellos and questions.
  func reader(of user: UserID) -> Int {
    Int(user.uuid.bytes[15]) % readers.count
  }

  func reader(of connection: ConnectionID) -> Mailbox<ReaderMessage> {
    readers[Int(connection.slot) % readers.count]
  }

  /// Returns the reader for a query. Queries that read more than a few rows go to the user's reader, which counts them
  /// over all connections.
  func reader(
    of connection: ConnectionID, asking query: Query, as user: UserID
  ) -> Mailbox<ReaderMessage> {
    switch query {
    case .history, .search, .view, .agenda, .posts, .removedCategories, .members, .codes, .links,
      .bots, .notifications, .twins, .export, .badges, .digest, .stats:
      readers[reader(of: user)]
    case .sessions, .profile: reader(of: connection)
    }
  }

  func reply(_ to: ReplyAddress, _ outcome: RequestOutcome) {
    loops[to.loop].post(.outcome(to, outcome))
  }
}

private func makeMailboxes<Message>(_ count: Int) throws(NetError) -> [Mailbox<Message>] {
  var made: [Mailbox<Message>] = []
  for _ in 0..<count { made.append(try Mailbox()) }
  return made
}
