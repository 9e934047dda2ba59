// One client of the torture (scripts/torture). It works and writes down everything that it saw until it is told to be
// quiet or is killed. Its queue and its copies are on disk, in a folder beside the journal: a new run goes on with
// them.
//
//   TortureClient URL USERS SEED JOURNAL TOKEN
//
// Lines on standard input: `quiet` (ask nothing more; `drained` is said when nothing is unanswered), then `finish
// STREAM=SEQ …` (come that far with each, write the states down and end).

import Client
import Domain
import Glibc
import Net
import Sync
import Wire

@main
enum Program {
  static func main() {
    let words = CommandLine.arguments
    guard words.count == 6, let users = Int(words[2]), let seed = UInt64(words[3]) else {
      end("usage: TortureClient URL USERS SEED JOURNAL TOKEN")
    }
    do throws(ClientError) {
      let files = try AccountFiles(
        in: StateFolder(path: words[4] + ".state"),
        of: StateFolder.Session(server: words[1], username: "torture", token: words[5]))
      if let damage = files.damage { end(damage) }
      let client = try Client(server: ServerAddress(words[1]), token: words[5], files: files)
      var work = Work(
        client: client, journal: Journal(path: words[4]),
        workload: Workload(seed: seed, users: users))
      work.run()
      client.close()
    } catch {
      end("\(error)")
    }
  }

  static func end(_ sentence: String) -> Never {
    let line = Array("TortureClient: \(sentence)\n".utf8)
    // There is nowhere to complain when standard error is closed.
    _ = write(STDERR_FILENO, line, line.count)
    exit(1)
  }
}

struct Work {
  /// The most unanswered commands; more would only wait in the client.
  static let outstandingMax = 40
  /// The states at numbers that this divides are compared.
  static let digestEvery: Int64 = 8

  private let client: Client
  private let journal: Journal
  private var workload: Workload
  private var orders = Orders()
  private var outstanding: [RequestTicket: Attempt] = [:]
  /// The tickets of requests for views.
  private var looks: Set<RequestTicket> = []
  private var isQuiet = false
  private var hasDrained = false
  private var actAt: Int64 = 0
  /// The moment, while offline, at which the client loses patience: its own waits are for servers that come back later
  /// than ours.
  private var reconnectAt: Int64?

  init(client: Client, journal: Journal, workload: Workload) {
    self.client = client
    self.journal = journal
    self.workload = workload
  }

  /// Runs until the client is told to finish and has come there.
  mutating func run() {
    journal.note("run")
    noteKept()
    while true {
      take(client.waitForNews(milliseconds: isQuiet ? 20 : patience))
      for order in orders.read() { obey(order) }
      if case .ended(let reason) = client.standing { Program.end("ended: \(reason)") }
      if isQuiet, !hasDrained, isDone { sayDrained() }
      if !isQuiet, now >= actAt { act() }
      reconnect()
      if let goal = orders.goal, hasReached(goal) { return noteAll() }
    }
  }

  /// Writes down everything that the run before this one has left in the folder.
  private mutating func noteKept() {
    for (stream, seq) in client.heads.sorted(by: { $0.key < $1.key }) {
      guard let state = client.streams[stream] else { continue }
      journal.note("kept") { line in
        Work.add(stream, to: &line)
        line.key("seq")
        line.int(seq)
      }
      note(state, at: seq, as: "state")
    }
    for queued in client.waiting {
      outstanding[queued.ticket] = Attempt(
        purpose: .new, command: queued.command, key: queued.key)
    }
    // These commands were refused, and the client was killed before it could write that down.
    for unsent in client.unsent { noteUnsent(unsent) }
  }

  private mutating func noteUnsent(_ unsent: UnsentCommand) {
    let queued = unsent.queued
    if outstanding.removeValue(forKey: queued.ticket) != nil || !toldRefused.contains(queued.key) {
      let attempt = Attempt(purpose: .new, command: queued.command, key: queued.key)
      noteRefusal(attempt, unsent.reason)
    }
    do throws(ClientError) { try client.discard(queued.number) } catch {
      Program.end("a refused command cannot be discarded: \(error)")
    }
  }

  /// Whether every request has its answer.
  private var isDone: Bool {
    outstanding.isEmpty && client.waiting.isEmpty && client.unsent.isEmpty && client.isLevel
  }

  private var now: Int64 { MachineClock.monotonic().milliseconds }

  private var patience: Int { Int(max(1, min(50, actAt - now))) }

  private mutating func obey(_ order: String) {
    switch order {
    case "quiet": isQuiet = true
    case "finish": break
    default: Program.end("what is \(order)?")
    }
  }

  private mutating func sayDrained() {
    hasDrained = true
    let word = Array("drained\n".utf8)
    if write(STDOUT_FILENO, word, word.count) != word.count { Program.end("nobody listens") }
  }

  private func hasReached(_ goal: [StreamID: Int64]) -> Bool {
    client.isLevel && goal.allSatisfy { stream, seq in client.heads[stream] ?? 0 >= seq }
  }

  private func noteAll() {
    for (stream, state) in client.streams.sorted(by: { $0.key < $1.key }) {
      note(state, at: client.heads[stream] ?? 0, as: "final")
    }
    journal.note("end")
  }

  // MARK: Its work

  private mutating func act() {
    actAt = now + Int64(workload.pause())
    if let look = workload.look(client) { looks.insert(client.submit(.query(.view(look)))) }
    for _ in 0..<workload.burst() where outstanding.count < Work.outstandingMax {
      guard let attempt = workload.next(client) else { return }
      send(attempt)
    }
  }

  private mutating func reconnect() {
    guard case .offline = client.standing else {
      reconnectAt = nil
      return
    }
    let moment = reconnectAt ?? now + Int64(workload.pause())
    reconnectAt = moment > now ? moment : nil
    if moment <= now { client.connectNow() }
  }

  /// Sends a command, which is written down before it can have any effect.
  private mutating func send(_ new: Attempt) {
    sentCount += 1
    var attempt = new
    attempt.number = sentCount
    journal.note("sent") { line in
      line.key("n")
      line.int(sentCount)
      line.key("key")
      line.string(attempt.key.text)
      line.key("purpose")
      line.string(attempt.purpose.rawValue)
      line.key("home")
      line.string(attempt.command.home(of: client.user ?? UserID(Identifiers.make())).description)
      line.key("adds")
      line.beginArray()
      for post in attempt.command.addedPosts { line.string(post.description) }
      line.endArray()
    }
    guard attempt.purpose == .new else {
      // The library makes a new key for each command that is queued: an old one is tried beside the queue.
      outstanding[client.submit(.command(attempt.command, key: attempt.key))] = attempt
      return
    }
    do throws(ClientError) {
      let ticket = try client.queue(attempt.command, key: attempt.key)
      // The library may say more, such as the due of an occurrence. A repeat has to be the command that was sent.
      guard let queued = client.waiting.last(where: { $0.ticket == ticket }) else {
        Program.end("a queued command does not wait")
      }
      attempt.command = queued.command
      outstanding[ticket] = attempt
    } catch {
      Program.end("a command cannot be queued: \(error)")
    }
    journal.note("queued") { line in
      line.key("key")
      line.string(attempt.key.text)
    }
  }

  private var sentCount: Int64 = 0
  /// The keys of commands that were refused, and written down as such in this run.
  private var toldRefused: Set<CommandKey> = []

  // MARK: Its observations

  private mutating func take(_ news: [ClientNews]) {
    var moved: Set<StreamID> = []
    for (index, item) in news.enumerated() {
      switch item {
      case .standing(let standing): note(standing)
      case .level: journal.note("level")
      case .gone(let state):
        moved.remove(state.stream)
        journal.note("gone") { Work.add(state.stream, to: &$0) }
      case .replaced(let stream):
        moved.insert(stream)
        noteReplaced(stream, news[(index + 1)...])
      case .happened(let stream, let appliedEvents, caughtUp: _):
        moved.insert(stream)
        noteApplied(stream, appliedEvents)
      case .answered(let ticket, let answer): noteAnswer(ticket, answer)
      case .unsent(let unsent): noteUnsent(unsent)
      case .notKept(let error): Program.end("not kept: \(error)")
      case .ephemeral, .withdrawn: break
      }
    }
    for stream in moved.sorted() {
      guard let state = client.streams[stream], let seq = client.heads[stream],
        seq % Work.digestEvery == 0
      else { continue }
      note(state, at: seq, as: "state")
    }
  }

  private func note(_ standing: Standing) {
    journal.note("standing") { line in
      line.key("is")
      switch standing {
      case .connecting: line.string("connecting")
      case .live: line.string("live")
      case .offline: line.string("offline")
      case .ended: line.string("ended")
      }
    }
  }

  /// Writes down that a copy was replaced. The number of the new copy is the one before the next events, or the
  /// stream's present one. It is -1 when neither is known, because the copy was replaced again or is gone.
  private func noteReplaced(_ stream: StreamID, _ rest: ArraySlice<ClientNews>) {
    var seq = client.heads[stream] ?? -1
    search: for item in rest {
      switch item {
      case .happened(stream, let appliedEvents, caughtUp: _):
        seq = (appliedEvents.first?.event.seq ?? 0) - 1
        break search
      case .replaced(stream):
        seq = -1
        break search
      case .gone(let state) where state.stream == stream:
        seq = -1
        break search
      case .happened, .replaced, .gone, .ephemeral, .standing, .level, .answered, .unsent, .notKept,
        .withdrawn:
        break
      }
    }
    journal.note("replaced") { line in
      Work.add(stream, to: &line)
      line.key("seq")
      line.int(seq)
    }
  }

  private func noteApplied(_ stream: StreamID, _ appliedEvents: [AppliedEvent]) {
    journal.note("applied") { line in
      Work.add(stream, to: &line)
      line.key("from")
      line.int(appliedEvents.first?.event.seq ?? 0)
      line.key("events")
      line.beginArray()
      for it in appliedEvents { line.string(it.event.fingerprint) }
      line.endArray()
    }
  }

  private mutating func noteAnswer(
    _ ticket: RequestTicket, _ answer: Result<ReplicaAnswer, ClientError>
  ) {
    if looks.remove(ticket) != nil { return noteView(answer) }
    guard let attempt = outstanding.removeValue(forKey: ticket) else { return }
    switch answer {
    case .success(.command(let result)):
      workload.settled(attempt, result)
      journal.note("answered") { line in Work.add(attempt, result, to: &line) }
    case .success: Program.end("a command was answered as something else")
    case .failure(.refused(let error)): noteRefusal(attempt, error)
    case .failure(let error): Program.end("a command failed: \(error)")
    }
  }

  private func noteView(_ answer: Result<ReplicaAnswer, ClientError>) {
    guard case .success(.view(let result)) = answer else { return }
    journal.note("viewed") { line in
      line.key("posts")
      line.beginArray()
      for found in result.found {
        line.beginArray()
        line.string("c:\(found.category)")
        line.string(found.post.id.description)
        line.int(Int64(found.post.version))
        line.endArray()
      }
      line.endArray()
    }
  }

  private mutating func noteRefusal(_ attempt: Attempt, _ error: ServerError) {
    toldRefused.insert(attempt.key)
    journal.note("refused") { line in
      Work.add(attempt, to: &line)
      line.key("kind")
      line.string(error.kind?.rawValue ?? "?")
    }
  }

  private func note(_ state: StreamState, at seq: Int64, as kind: String) {
    journal.note(kind) { line in
      Work.add(state.stream, to: &line)
      line.key("seq")
      line.int(seq)
      line.key("digest")
      line.string(state.digest)
    }
  }

  private static func add(_ stream: StreamID, to line: inout JSONWriter) {
    line.key("stream")
    line.string(stream.description)
  }

  private static func add(_ attempt: Attempt, to line: inout JSONWriter) {
    line.key("n")
    line.int(attempt.number)
    line.key("key")
    line.string(attempt.key.text)
  }

  private static func add(
    _ attempt: Attempt, _ result: CommandResult, to line: inout JSONWriter
  ) {
    add(attempt, to: &line)
    line.key("changed")
    line.bool(result.changed)
    line.key("events")
    line.beginArray()
    for position in result.events {
      line.beginArray()
      line.string(position.stream.description)
      line.int(position.seq)
      line.endArray()
    }
    line.endArray()
  }
}

/// A reader of lines of standard input, which does not wait for them.
struct Orders {
  private var rest: [UInt8] = []
  /// The goal that `finish` names.
  private(set) var goal: [StreamID: Int64]?

  /// Returns the first words of the lines that have come.
  mutating func read() -> [String] {
    var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 0) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else { Program.end("whoever started this is gone") }
    let parts = (rest + bytes[..<count]).split(separator: 10, omittingEmptySubsequences: false)
    rest = Array(parts.last ?? [])
    return parts.dropLast().map { order(String(decoding: $0, as: UTF8.self)) }
  }

  private mutating func order(_ line: String) -> String {
    let words = line.split(separator: " ")
    if words.first == "finish" {
      goal = [:]
      for word in words.dropFirst() {
        let sides = word.split(separator: "=")
        guard sides.count == 2, let stream = StreamID(String(sides[0])), let seq = Int64(sides[1])
        else { Program.end("cannot read \(word)") }
        goal?[stream] = seq
      }
    }
    return String(words.first ?? "")
  }
}
