// One reader: an own read-only connection, so reading never waits for the ledger nor the ledger for it.
// Every request looks at who may read what inside the same read transaction that reads it, and no
// transaction outlives its request (DESIGN §6).

internal import Domain
internal import Net
internal import Sync
internal import WebSocket
internal import Wire

/// Owned by its thread.
final class ReaderThread {
  let store: any EventStore
  let log: Log
  private let mailboxes: Mailboxes
  private let index: Int
  private var snapshots = SnapshotCache(bytesMax: ServerLimits.snapshotCacheBytes)

  init(_ index: Int, store: any EventStore, mailboxes: Mailboxes) {
    self.index = index
    self.store = store
    self.mailboxes = mailboxes
    log = Log(mailbox: mailboxes.log)
  }

  /// Runs until `.stop`.
  func run() {
    while true {
      for message in mailboxes.readers[index].wait() {
        switch message {
        case .hello(let to, let hello): mailboxes.reply(to, welcome(hello))
        case .open(let to, let identity, let cursors):
          mailboxes.reply(to, reading { () throws(StoreError) in try opened(identity, cursors) })
        case .query(let to, let id, let identity, let query):
          mailboxes.reply(to, trying { () throws(StoreError) in try answer(id, identity, query) })
        case .watch(let loop, let read):
          mailboxes.loops[loop].post(.read(read, watch(read)))
        case .stop: return
        }
      }
    }
  }

  /// One read transaction.
  private func reading(_ body: () throws(StoreError) -> Outcome) -> Outcome {
    trying { () throws(StoreError) in try store.read(body) }
  }

  /// A store that fails is told as `unavailable`.
  private func trying(_ body: () throws(StoreError) -> Outcome) -> Outcome {
    do throws(StoreError) {
      return try body()
    } catch {
      log.note("reader: \(error.fault.detail)")
      return .failed(.unavailable(afterMilliseconds: ServerLimits.unavailableMilliseconds))
    }
  }

  var now: Timestamp { Timestamp(milliseconds: MachineClock.wallMilliseconds()) }

  // MARK: Hello

  private func welcome(_ hello: Hello) -> Outcome {
    let outcome = reading { () throws(StoreError) in try welcomed(hello, at: now) }
    if case .welcome(let result, _, _) = outcome { noteUse(of: result.session, by: result.user) }
    return outcome
  }

  /// Tells the ledger at most once a day that the session lives.
  private func noteUse(of session: SessionID, by user: UserID) {
    guard usedLongAgo == session else { return }
    mailboxes.ledger.post(.work(.useSession(session, of: user, at: now), .nobody))
  }

  /// Set by `welcomed`: the session whose `usedAt` is to be written.
  var usedLongAgo: SessionID?

  // MARK: Watches

  private func watch(_ read: HubRead) -> HubReadAnswer<SharedFrame> {
    do throws(StoreError) {
      return try store.read { () throws(StoreError) in try answer(read) }
    } catch {
      log.note("reader: \(error.fault.detail)")
      return .failed
    }
  }

  private func answer(_ read: HubRead) throws(StoreError) -> HubReadAnswer<SharedFrame> {
    guard let access = try store.access(of: read.user, to: read.stream) else { return .gone }
    switch read.want {
    case .tail(let after):
      guard after >= access.joinedSeq, access.head.seq - after <= HubLimits.tailEventsMax else {
        return try newestSnapshot(read.stream)
      }
      return try tail(access, after: after)
    case .page(let page, let seq):
      guard let seq, page > 0 else { return try newestSnapshot(read.stream) }
      guard seq >= access.joinedSeq, let pages = snapshots.pages(of: read.stream, at: seq),
        page < pages.frames.count
      else { return .lost }
      return pages.answer(page)
    }
  }

  private func tail(
    _ access: StreamAccess, after: Int64
  ) throws(StoreError) -> HubReadAnswer<SharedFrame> {
    let events = try store.events(
      in: access.stream, after: after, through: access.head.seq, bytesMax: Limits.pageBytesMax)
    guard let last = events.last else { return .tail(nil, through: after) }
    let push = Push.events(
      access.stream, epoch: access.head.epoch, from: after + 1, bodies: events.map(\.body))
    return .tail(SharedFrame(.text, push), through: last.seq)
  }

  private func newestSnapshot(
    _ stream: StreamID
  ) throws(StoreError) -> HubReadAnswer<SharedFrame> {
    guard let head = try store.head(of: stream) else { return .gone }
    if let known = snapshots.pages(of: stream, at: head.seq) { return known.answer(0) }
    guard let snapshot = try store.snapshot(of: stream) else { return .gone }
    let frames = Push.snapshot(
      stream, epoch: snapshot.head.epoch, seq: snapshot.head.seq,
      transaction: snapshot.head.transaction, bodies: snapshot.objects
    ).map { SharedFrame(.text, $0) }
    let pages = SnapshotPages(
      epoch: snapshot.head.epoch, seq: snapshot.head.seq, frames: frames)
    snapshots.keep(pages, of: stream)
    return pages.answer(0)
  }
}
