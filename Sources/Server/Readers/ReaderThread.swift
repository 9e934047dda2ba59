// A reader thread. It has its own read-only connection, so it never waits for the ledger, nor the ledger for it.
// Sync/Reading decides the answers; here are the mailbox, the clocks and the counters.

internal import Calendar
internal import Crypto
internal import Domain
internal import Net
internal import Sync
internal import WebSocket
internal import Wire

/// A reader, owned by its thread.
final class ReaderThread {
  private let reader: Reader<SharedFrame>
  private let log: Log
  private let mailboxes: Mailboxes
  private let index: Int
  private let counters: ReaderCounters

  init(
    _ index: Int, store: any EventStore, codes: Codes, hellos: UserLimits, looks: UserLimits,
    questions: KindLimits, lines: KindLimits, storage: StorageRules,
    mailboxes: Mailboxes
  ) {
    reader = Reader(
      store, hellos: hellos, looks: looks, questions: questions, lines: lines,
      storage: storage, snapshotBytesMax: ServerLimits.snapshotCacheBytes,
      ReaderThread.tools(codes))
    counters = mailboxes.counters.readers[index]
    self.index = index
    self.mailboxes = mailboxes
    log = Log(mailbox: mailboxes.log)
  }

  static func tools(_ codes: Codes) -> ReaderTools<SharedFrame> {
    ReaderTools(
      server: ServerName(name: "whattodo-server", version: Server.version),
      tokenHash: { Codes.tokenHash($0) },
      startOfDay: { Zones.startOfDay(containing: $0, zone: $1) },
      frame: { SharedFrame(.text, $0) }, codes: codes.book, almanac: .system)
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
    case .hello(let to, let hello): answer(to) { () throws(StoreError) in try greet(to, hello) }
    case .open(let to, let identity, let cursors):
      counters.counts.add(.opens)
      answer(to) { () throws(StoreError) in try reader.open(identity, cursors) }
    case .query(let to, let id, let identity, let query):
      counters.counts.add(.queries)
      let begun = MachineClock.threadNanoseconds()
      answer(to) { () throws(StoreError) in
        try reader.answer(id, identity, query, at: now)
      }
      let took = MachineClock.threadNanoseconds() - begun
      reader.charge(query, of: identity, nanoseconds: took, at: now.milliseconds)
    case .watch(let loop, let read):
      counters.counts.add(.watches)
      mailboxes.loops[loop].post(.read(read, watch(read)))
    case .calendar(let loop, let connection, let request):
      counters.counts.add(.queries)
      mailboxes.loops[loop].post(.page(connection, page(request)))
    case .hook(let loop, let connection, let message): read(message, for: connection, of: loop)
    case .stop: break
    }
  }

  /// Answers with an outcome, or with `unavailable` when the store fails. Without an outcome another reader will
  /// answer.
  private func answer(_ to: ReplyAddress, _ body: () throws(StoreError) -> RequestOutcome?) {
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

  private var now: SessionMoment {
    SessionMoment(
      milliseconds: MachineClock.monotonic().milliseconds,
      wall: Timestamp(milliseconds: MachineClock.wallMilliseconds()))
  }

  private func page(_ request: CalendarRequest) -> HTTPReply {
    do throws(StoreError) {
      return request.reply(
        try reader.calendar(of: request.code, known: request.known, at: now) { feed in
          feed.text(bytesMax: Limits.calendarBytesMax, almanac: .system)
        })
    } catch {
      noteFailure(error)
      return CalendarRequest.unavailable
    }
  }

  // MARK: Hello

  private func greet(_ to: ReplyAddress, _ hello: Hello) throws(StoreError) -> RequestOutcome? {
    let now = now
    switch try reader.greet(hello, at: now, counts: { mailboxes.reader(of: $0) == index }) {
    case .unwelcome: return .unwelcome
    case .countedElsewhere(let user):
      mailboxes.readers[mailboxes.reader(of: user)].post(.hello(to, hello))
      return nil
    case .outcome(let outcome, let used):
      counters.counts.add(.hellos)
      if let used { noteUse(of: used, at: now.wall) }
      return outcome
    }
  }

  /// Reads a report for a loop, or leaves it to the reader that counts the bot's questions.
  private func read(_ message: HookMessage, for connection: ConnectionID, of loop: Int) {
    let now = now
    let order: Result<HookOrder, Failure>
    do throws(StoreError) {
      switch try reader.read(message, at: now, counts: { mailboxes.reader(of: $0) == index }) {
      case .unwelcome: order = .failure(.refused(.unauthenticated))
      case .countedElsewhere(let user):
        mailboxes.readers[mailboxes.reader(of: user)].post(.hook(loop: loop, connection, message))
        return
      case .read(let read, let used):
        if let used { noteUse(of: used, at: now.wall) }
        order = read
      }
    } catch {
      noteFailure(error)
      order = .failure(.unavailable(afterMilliseconds: ServerLimits.unavailableMilliseconds))
    }
    mailboxes.loops[loop].post(.hook(connection, order))
  }

  /// Tells the ledger that the session lives. The ledger writes it once a day at most.
  private func noteUse(of used: Identity, at now: Timestamp) {
    mailboxes.ledger.post(.work(.useSession(used.session, of: used.user, at: now), .nobody))
  }

  // MARK: Watches

  private func watch(_ read: HubRead) -> HubReadAnswer<SharedFrame> {
    do throws(StoreError) {
      let answer = try reader.answer(read, at: MachineClock.monotonic().milliseconds)
      counters.counts.set(.snapshotHits, reader.snapshotHits)
      counters.counts.set(.snapshotMisses, reader.snapshotMisses)
      counters.counts.set(.snapshotBytes, reader.snapshotBytes)
      return answer
    } catch {
      noteFailure(error)
      return .failed
    }
  }
}
