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
  private var hellos: HelloLimits
  private let counters: ReaderCounters

  init(_ index: Int, store: any EventStore, hellos: HelloLimits, mailboxes: Mailboxes) {
    self.hellos = hellos
    counters = mailboxes.counters.readers[index]
    self.index = index
    self.store = store
    self.mailboxes = mailboxes
    log = Log(mailbox: mailboxes.log)
  }

  /// Runs until `.stop`.
  func run() {
    while true {
      let messages = mailboxes.readers[index].wait()
      counters.counts.set(.inHand, messages.count)
      for message in messages {
        if case .stop = message { return }
        let begun = MachineClock.monotonicNanoseconds()
        take(message)
        counters.reads.note(Int(MachineClock.monotonicNanoseconds() - begun))
        counters.counts.add(.inHand, -1)
      }
    }
  }

  private func take(_ message: ReaderMessage) {
    switch message {
    case .hello(let to, let hello): greet(to, hello)
    case .open(let to, let identity, let cursors):
      counters.counts.add(.opens)
      answer(to) { () throws(StoreError) in
        try store.read { () throws(StoreError) in try opened(identity, cursors) }
      }
    case .query(let to, let id, let identity, let query):
      counters.counts.add(.queries)
      answer(to) { () throws(StoreError) in try answer(id, identity, query) }
    case .watch(let loop, let read):
      counters.counts.add(.watches)
      mailboxes.loops[loop].post(.read(read, watch(read)))
    case .stop: break
    }
  }

  /// A store that fails is told as `unavailable`. No outcome: somebody else will answer.
  private func answer(_ to: ReplyAddress, _ body: () throws(StoreError) -> Outcome?) {
    do throws(StoreError) {
      if let outcome = try body() { mailboxes.reply(to, outcome) }
    } catch {
      noteFailure(error)
      mailboxes.reply(
        to, .failed(.unavailable(afterMilliseconds: ServerLimits.unavailableMilliseconds)))
    }
  }

  private func noteFailure(_ error: StoreError) {
    counters.counts.add(.failures)
    log.note("reader: \(error.fault.detail)")
  }

  var now: Timestamp { Timestamp(milliseconds: MachineClock.wallMilliseconds()) }

  // MARK: Hello

  private func greet(_ to: ReplyAddress, _ hello: Hello) {
    let now = now
    answer(to) { () throws(StoreError) in
      try store.read { () throws(StoreError) in
        guard let session = try session(of: hello.token, at: now) else { return .unwelcome }
        let counting = mailboxes.reader(of: session.user)
        guard counting == index else {
          mailboxes.readers[counting].post(.hello(to, hello))
          return nil
        }
        counters.counts.add(.hellos)
        if let wait = hellos.tryNow(session.user, at: MachineClock.monotonic().milliseconds) {
          return .failed(.rateLimited(afterMilliseconds: Int(wait)))
        }
        noteUse(of: session, at: now)
        return try welcomed(hello, session, at: now)
      }
    }
  }

  /// Tells the ledger at most once a day that the session lives.
  private func noteUse(of session: SessionRecord, at now: Timestamp) {
    guard SessionAge.needsNote(session, at: now) else { return }
    mailboxes.ledger.post(.work(.useSession(session.id, of: session.user, at: now), .nobody))
  }

  // MARK: Watches

  private func watch(_ read: HubRead) -> HubReadAnswer<SharedFrame> {
    do throws(StoreError) {
      return try store.read { () throws(StoreError) in try answer(read) }
    } catch {
      noteFailure(error)
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
    if let known = snapshots.pages(of: stream, at: head.seq) {
      counters.counts.add(.snapshotHits)
      return known.answer(0)
    }
    counters.counts.add(.snapshotMisses)
    guard let snapshot = try store.snapshot(of: stream) else { return .gone }
    let frames = Push.snapshot(
      stream, epoch: snapshot.head.epoch, seq: snapshot.head.seq,
      transaction: snapshot.head.transaction, bodies: snapshot.objects
    ).map { SharedFrame(.text, $0) }
    let pages = SnapshotPages(
      epoch: snapshot.head.epoch, seq: snapshot.head.seq, frames: frames)
    snapshots.keep(pages, of: stream)
    counters.counts.set(.snapshotBytes, snapshots.bytes)
    return pages.answer(0)
  }
}
