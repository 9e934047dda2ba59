// The page `/metrics`. Every label has a closed list of values: methods, kinds of errors, reasons, threads. No label
// has text that a client chose, so no name, id, address or token can be read from here, and nobody can make the page
// grow. The page is written on the loop that was asked, from numbers that the other threads keep: some 17 KB in half a
// millisecond.

internal import Domain
internal import Net
internal import WebSocket
internal import Wire

/// Writes the page of a running server.
struct MetricsPage: Sendable {
  let mailboxes: Mailboxes
  /// The start of the server, in seconds since 1970.
  let startedAt: Int64

  private var counters: ServerCounters { mailboxes.counters }

  init(_ mailboxes: Mailboxes) {
    self.mailboxes = mailboxes
    startedAt = MachineClock.wallMilliseconds() / 1_000
  }

  func reply() -> HTTPReply {
    var text = MetricsText()
    writeServer(to: &text)
    for family in NetFamily.allCases { write(family, to: &text) }
    writeTurns(to: &text)
    writeSessions(to: &text)
    writeRequests(to: &text)
    writeQueues(to: &text)
    writeLedger(to: &text)
    writeDisk(to: &text)
    writeReaders(to: &text)
    writeAuthenticator(to: &text)
    writeCourier(to: &text)
    writeProcess(to: &text)
    return HTTPReply(
      .ok, fields: [HTTPReply.Field("Content-Type", MetricsText.contentType)], body: text.bytes)
  }

  private func writeServer(to text: inout MetricsText) {
    text.begin("whattodo_build_info", .gauge, "Which program this is; always 1.")
    text.sample(.init("version", Server.version), value: 1)
    let readiness = Readiness(counters, at: MachineClock.monotonic())
    text.one(
      "whattodo_ready", .gauge, "1 while /readyz answers 200.", value: readiness == .ready ? 1 : 0)
  }

  // MARK: Loops

  private func write(_ family: NetFamily, to text: inout MetricsText) {
    text.begin(family.name, family.kind, family.help)
    for count in LoopCount.allCases {
      guard let place = count.place, place.family == family else { continue }
      let labels = place.reason.map { [MetricsText.Label("reason", $0)] } ?? []
      if family.isByLoop {
        for (loop, net) in counters.net.enumerated() {
          text.sample(labels + [.init("loop", "\(loop)")], value: net.counts[count])
        }
      } else {
        text.sample(labels, value: counters.net.reduce(0) { $0 + $1.counts[count] })
      }
    }
  }

  private func writeTurns(to text: inout MetricsText) {
    text.begin(
      "whattodo_loop_turn_seconds", .histogram,
      "How long a turn of a loop lasts, from wake-up to sleep: the lag that its sockets see.")
    for (loop, net) in counters.net.enumerated() {
      write(net.turns, by: loop, to: &text)
    }
    text.begin(
      "whattodo_timer_delay_seconds", .histogram, "How much later than meant a loop's timers fire.")
    for (loop, net) in counters.net.enumerated() {
      write(net.timerDelays, by: loop, to: &text)
    }
  }

  private func write(_ histogram: Histogram, by loop: Int, to text: inout MetricsText) {
    text.histogram(
      [.init("loop", "\(loop)")], histogram.reading, bounds: histogram.bounds,
      unit: MetricsPage.nanoseconds)
  }

  // MARK: Sessions and requests

  private func writeSessions(to text: inout MetricsText) {
    text.one(
      "whattodo_sessions", .gauge, "Connections that said hello.", value: sum(.signedIn))
    text.one(
      "whattodo_stalled_connections", .gauge, "Connections that take no bytes.",
      value: sum(.stalled))
    text.begin("whattodo_sessions_ended_total", .counter, "Sessions that the server ended, by why.")
    for count in SessionCount.allCases {
      guard let reason = count.reason else { continue }
      text.sample(.init("reason", reason), value: sum(count))
    }
  }

  private func sum(_ name: SessionCount) -> Int {
    counters.sessions.reduce(0) { $0 + $1.counts[name] }
  }

  private func writeRequests(to text: inout MetricsText) {
    text.begin(
      "whattodo_requests_total", .counter, "Requests answered, by method and kind of error.")
    for count in RequestCount.allCases {
      let value = counters.sessions.reduce(0) { $0 + $1.requests[count] }
      guard value != 0 || count.isExpected else { continue }
      text.sample(.init("method", count.method), .init("outcome", count.outcome), value: value)
    }
  }

  // MARK: Threads

  private func writeQueues(to text: inout MetricsText) {
    text.begin(
      "whattodo_queue_depth", .gauge, "Messages that wait for a thread or are in its hands.")
    func sample(_ thread: String, _ depth: Int) {
      text.sample(.init("thread", thread), value: depth)
    }
    for (index, mailbox) in mailboxes.loops.enumerated() { sample("loop \(index)", mailbox.count) }
    sample("ledger", mailboxes.ledger.count + counters.ledger.counts[.inHand])
    for (index, mailbox) in mailboxes.readers.enumerated() {
      sample("reader \(index)", mailbox.count + counters.readers[index].counts[.inHand])
    }
    sample("authenticator", mailboxes.authenticator.count)
    sample("hash", counters.authenticator[.waiting])
    sample("courier", mailboxes.courier.count)
    sample("log", mailboxes.log.count)
  }

  private func writeLedger(to text: inout MetricsText) {
    let ledger = counters.ledger
    text.begin("whattodo_commits_total", .counter, "Transactions of the store, by how they ended.")
    text.sample(.init("outcome", "committed"), value: ledger.counts[.committed])
    text.sample(.init("outcome", "failed"), value: ledger.counts[.failed])
    text.sample(.init("outcome", "unknown"), value: ledger.counts[.unknown])
    text.begin("whattodo_commit_seconds", .histogram, "How long a transaction took to be durable.")
    text.histogram(
      [], ledger.commits.reading, bounds: ledger.commits.bounds, unit: MetricsPage.nanoseconds)
    text.begin("whattodo_commit_works", .histogram, "Commands and sign-ins settled by one commit.")
    text.histogram([], ledger.batches.reading, bounds: ledger.batches.bounds, unit: 1)
    text.one(
      "whattodo_works_total", .counter, "Commands and sign-ins that the ledger settled.",
      value: ledger.counts[.works])
    text.one(
      "whattodo_repeats_total", .counter, "Of these, repeats that got their first answer.",
      value: ledger.counts[.repeats])
    text.one(
      "whattodo_events_total", .counter, "Events written and published.",
      value: ledger.counts[.events])
    text.one(
      "whattodo_deadlines_total", .counter, "Posts that were told to be overdue.",
      value: ledger.counts[.deadlines])
    text.one(
      "whattodo_scheduler_paused", .gauge, "1 while no deadline is told, because of the clock.",
      value: ledger.counts[.schedulerPaused])
    text.one(
      "whattodo_runs", .gauge, "Runs of posts that go on.", value: ledger.counts[.runs])
    text.one(
      "whattodo_runs_lost_total", .counter, "Runs that were lost: nothing was heard of them.",
      value: ledger.counts[.runsLost])
  }

  private func writeCourier(to text: inout MetricsText) {
    let courier = counters.courier
    text.one("whattodo_webhooks", .gauge, "Webhooks of bots.", value: courier[.webhooks])
    text.one(
      "whattodo_webhooks_troubled", .gauge, "Webhooks that fail or are paused.",
      value: courier[.troubled])
    text.one(
      "whattodo_deliveries_in_flight", .gauge, "Deliveries of webhooks that are on their way.",
      value: courier[.inFlight])
    text.begin(
      "whattodo_deliveries_total", .counter, "Tries to deliver by webhooks, by how they ended.")
    text.sample(.init("outcome", "taken"), value: courier[.taken])
    text.sample(.init("outcome", "failed"), value: courier[.failed])
  }

  private func writeDisk(to text: inout MetricsText) {
    let ledger = counters.ledger.counts
    text.one(
      "whattodo_disk_free_bytes", .gauge, "Room on the disk of the data folder.",
      value: ledger[.diskFreeBytes])
    text.one(
      "whattodo_disk_size_bytes", .gauge, "Size of the disk of the data folder.",
      value: ledger[.diskBytes])
    text.one(
      "whattodo_disk_reserve_bytes", .gauge,
      "Room that is kept for a full disk; 0 while it is given up.",
      value: ledger[.diskReserveBytes])
    text.begin("whattodo_disk_state", .gauge, "1 for what the server takes the disk for.")
    for (state, word) in ["plenty", "low", "critical"].enumerated() {
      text.sample(.init("state", word), value: ledger[.diskState] == state ? 1 : 0)
    }
    text.one(
      "whattodo_store_failing", .gauge, "1 since the store failed, until it takes writes again.",
      value: ledger[.failedAt] == 0 ? 0 : 1)
  }

  private func writeReaders(to text: inout MetricsText) {
    func sum(_ name: ReaderCount) -> Int {
      counters.readers.reduce(0) { $0 + $1.counts[name] }
    }
    text.begin("whattodo_reads_total", .counter, "Requests that readers answered, by kind.")
    text.sample(.init("kind", "hello"), value: sum(.hellos))
    text.sample(.init("kind", "open"), value: sum(.opens))
    text.sample(.init("kind", "query"), value: sum(.queries))
    text.sample(.init("kind", "stream"), value: sum(.watches))
    text.one(
      "whattodo_read_failures_total", .counter, "Reads that the store failed.",
      value: sum(.failures))
    writeDurations(
      of: counters.readers.map(\.reads), "whattodo_read_seconds",
      "How long a reader took for a request.", to: &text)
    text.one(
      "whattodo_snapshot_cache_bytes", .gauge, "Snapshots that are kept for whoever comes next.",
      value: sum(.snapshotBytes))
    text.begin(
      "whattodo_snapshots_total", .counter, "Snapshots asked for, by where they came from.")
    text.sample(.init("from", "cache"), value: sum(.snapshotHits))
    text.sample(.init("from", "store"), value: sum(.snapshotMisses))
  }

  private func writeAuthenticator(to text: inout MetricsText) {
    text.one(
      "whattodo_sign_ins_total", .counter,
      "Requests to register, sign in, recover or change a password.",
      value: counters.authenticator[.visits])
    text.begin("whattodo_sign_in_refusals_total", .counter, "Of these, refused, by why.")
    text.sample(.init("reason", "rate"), value: counters.authenticator[.refusedRate])
    text.sample(.init("reason", "queue_full"), value: counters.authenticator[.refusedQueue])
    text.sample(.init("reason", "credentials"), value: counters.authenticator[.refusedCredentials])
    text.sample(.init("reason", "code"), value: counters.authenticator[.refusedCode])
    writeDurations(
      of: counters.hashers, "whattodo_hash_seconds", "How long a password hash took.", to: &text)
  }

  /// Writes the histograms of several threads as one.
  private func writeDurations(
    of histograms: [Histogram], _ name: String, _ help: String, to text: inout MetricsText
  ) {
    text.begin(name, .histogram, help)
    text.histogram(
      [], Histogram.Reading(sumOf: histograms.map(\.reading)), bounds: Durations.bounds,
      unit: MetricsPage.nanoseconds)
  }

  // MARK: The process

  private func writeProcess(to text: inout MetricsText) {
    let process = ProcessFigures()
    text.begin("process_cpu_seconds_total", .counter, "CPU time of the process.")
    text.sample(seconds: process.cpuSeconds)
    text.one(
      "process_start_time_seconds", .gauge, "When the server started, since 1970.",
      value: Int(startedAt))
    let gauges: [(String, String, Int?)] = [
      ("process_resident_memory_bytes", "Memory in use.", process.residentBytes),
      ("process_virtual_memory_bytes", "Addresses in use.", process.virtualBytes),
      ("process_open_fds", "Open descriptors.", process.openDescriptors),
      ("process_max_fds", "Descriptors that may be open.", process.descriptorsMax),
    ]
    for (name, help, value) in gauges {
      if let value { text.one(name, .gauge, help, value: value) }
    }
  }

  private static let nanoseconds = 1_000_000_000.0
}

extension SessionCount {
  /// The label of a reason. Nil for gauges.
  fileprivate var reason: String? {
    switch self {
    case .signedIn, .stalled, .isDraining: nil
    case .endedDrain: "drain"
    case .endedSlow: "slow"
    case .endedHelloTimeout: "hello_timeout"
    case .endedTokenInvalid: "token_invalid"
    case .endedAbuse: "protocol_abuse"
    case .endedSignedOut: "signed_out"
    case .endedLogout: "logout"
    case .endedBinary: "binary"
    case .endedOther: "other"
    }
  }
}

extension Histogram.Reading {
  /// Adds the readings of at least one histogram. All have the same bounds.
  fileprivate init(sumOf readings: [Histogram.Reading]) {
    self = readings[0]
    for reading in readings.dropFirst() { self = self + reading }
  }
}
