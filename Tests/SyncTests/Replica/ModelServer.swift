import Calendar
import Domain
import Wire

@testable import Sync

/// A server as the protocol describes it, for one person and some lists, in memory. It keeps the logs, answers commands
/// once per key, and serves cursors. It speaks bytes, so the codecs are part of the test.
struct ModelServer {
  struct Log {
    let stream: StreamID
    var epoch = Epoch("s.1")
    var events: [Event] = []
    var state: StreamState
    /// Whether the stream is nobody's any more.
    var isGone = false

    init(_ stream: StreamID) {
      self.stream = stream
      state = StreamState(stream: stream)
    }

    var head: Int64 { Int64(events.count) }

    mutating func append(_ ops: [Op], by user: UserID, key: CommandKey?, id: UInt64) -> Event {
      let event = Event(
        seq: head + 1, transaction: TransactionID(UUID(high: 7, low: id)),
        at: Timestamp(milliseconds: Int64(events.count)), by: user, key: key, ops: ops)
      _ = state.apply(event)
      events.append(event)
      return event
    }
  }

  let user = UserID(UUID(high: 1, low: 1))
  var logs: [StreamID: Log] = [:]
  var results: [CommandKey: CommandResult] = [:]
  /// The number of times that each command took effect.
  var effects: [CommandKey: Int] = [:]
  /// The longest tail; a longer one becomes a snapshot.
  var tailMax: Int64 = 5
  private var transactions: UInt64 = 0

  /// Adds a list with its owner, as `category.add` makes it.
  mutating func addList(
    _ number: UInt64, name: String = "list", group: GroupID? = nil
  ) -> CategoryID {
    let id = CategoryID(UUID(high: 2, low: number))
    let stamp = Stamp(at: Timestamp(milliseconds: 0), by: user)
    let member = Member(
      id: user, username: "author", name: "Author", kind: .person, grants: Grants(direct: .owner),
      joinedSeq: 1)
    write(
      .category(id),
      [
        .category(.added(Category(id: id, name: name, group: group, added: stamp))),
        .member(.added(member)),
      ])
    return id
  }

  @discardableResult
  mutating func write(_ stream: StreamID, _ ops: [Op], key: CommandKey? = nil) -> Event {
    transactions += 1
    var log = logs[stream] ?? Log(stream)
    let event = log.append(ops, by: user, key: key, id: transactions)
    logs[stream] = log
    return event
  }

  /// Returns the messages that answer a request, and the events that it made.
  mutating func answer(_ bytes: [UInt8]) throws -> (messages: [[UInt8]], made: [StreamPosition]) {
    let envelope = try RequestEnvelope(decoding: bytes)
    switch envelope.request {
    case .hello(let hello): return (greet(envelope.id, hello), [])
    case .open(let cursors):
      let parts = cursors.map { serve($0) }
      let answer = Answer.open(envelope.id, parts.map(\.status))
      return ([answer] + parts.flatMap(\.messages), [])
    case .command(let command, let key, _):
      do throws(Refusal) {
        let (result, made) = try carryOut(command, key)
        return ([Answer.command(envelope.id, result)], made)
      } catch {
        return ([Answer.error(envelope.id, .refused(error))], [])
      }
    default: return ([Answer.done(envelope.id)], [])
    }
  }

  func push(_ position: StreamPosition) -> [UInt8] {
    guard let log = logs[position.stream] else { return [] }
    let event = log.events[Int(position.seq) - 1]
    return Push.events(
      position.stream, epoch: log.epoch, from: position.seq, bodies: [EventCodec.encode(event)])
  }

  private mutating func carryOut(
    _ command: Command, _ key: CommandKey
  ) throws(Refusal) -> (CommandResult, [StreamPosition]) {
    if let known = results[key] { return (known, []) }
    let decision = try decide(command)
    effects[key, default: 0] += 1
    let made = decision.drafts.map { draft in
      StreamPosition(stream: draft.stream, seq: write(draft.stream, draft.ops, key: key).seq)
    }
    let result = CommandResult(
      changed: decision.changed, events: made, number: decision.number, version: decision.version)
    results[key] = result
    return (result, made)
  }

  /// Decides by the rules of Domain, on the logs.
  private func decide(_ command: Command) throws(Refusal) -> Decision {
    var world = World(bytesMax: 0)
    while true {
      do throws(Halt) {
        let actor = Actor(user: user, session: nil)
        return try Domain.decide(
          command, by: actor, at: Timestamp(milliseconds: 0), in: &world,
          almanac: .system)
      } catch {
        switch error {
        case .refused(let refusal): throw refusal
        case .needs(let needs): for need in needs { world.provide(need, answer(need)) }
        }
      }
    }
  }

  private func answer(_ need: Need) -> Loaded {
    switch need {
    case .head(let stream):
      .head(
        logs[stream].flatMap { log in
          log.events.last.map {
            StreamHead(epoch: log.epoch, seq: log.head, at: $0.at, transaction: $0.transaction)
          }
        })
    case .object(let stream, let key): .object(logs[stream]?.state.objects[key])
    case .objects(let stream, let kind):
      .objects(logs[stream]?.state.objects.values.filter { $0.key.kind == kind } ?? [])
    case .ranks(let stream, let kind):
      .ranks((logs[stream]?.state.ranks ?? []).filter { $0.key.kind == kind })
    case .bots: .users([])
    case .webhooks: .webhooks([])
    case .username, .account, .sessions, .codeSpent, .past, .commandEvents, .trails, .queue,
      .imported:
      preconditionFailure("no test asks for this: \(need)")
    }
  }

  private func greet(_ id: RequestID, _ hello: Hello) -> [[UInt8]] {
    var cursors = hello.cursors
    for stream in logs.keys.sorted() where !cursors.contains(where: { $0.stream == stream }) {
      if logs[stream]?.isGone == false { cursors.append(Cursor(stream: stream, position: nil)) }
    }
    let parts = cursors.map { serve($0) }
    let result = HelloResult(
      user: user, session: SessionID(UUID(high: 3, low: 1)), time: Timestamp(milliseconds: 0),
      server: ServerName(name: "model", version: "1"),
      heartbeat: Heartbeat(pingEveryMilliseconds: 1, timeoutMilliseconds: 2),
      retry: RetryAdvice(minMilliseconds: 100, maxMilliseconds: 1_000, factor: 2), limits: [],
      streams: parts.map(\.status))
    return [Answer.hello(id, result)] + parts.flatMap(\.messages)
  }

  private func serve(_ cursor: Cursor) -> (status: StreamStatus, messages: [[UInt8]]) {
    let stream = cursor.stream
    guard let log = logs[stream], !log.isGone else {
      return (StreamStatus(stream: stream, epoch: nil, head: nil, mode: .gone), [])
    }
    let live = Push.live(stream, epoch: log.epoch, seq: log.head)
    func status(_ mode: StreamMode) -> StreamStatus {
      StreamStatus(
        stream: stream, epoch: log.epoch, head: log.head, mode: mode,
        reason: mode == .snapshot ? .new : nil)
    }
    if let position = cursor.position, position.epoch == log.epoch, position.seq <= log.head {
      if position.seq == log.head { return (status(.live), []) }
      if log.head - position.seq <= tailMax {
        let missed = log.events[Int(position.seq)...]
        let tail = Push.events(
          stream, epoch: log.epoch, from: position.seq + 1, bodies: missed.map(EventCodec.encode))
        return (status(.tail), [tail, live])
      }
    }
    let bodies = log.state.objects.values.map(ObjectCodec.encode)
    let pages = Push.snapshot(
      stream, epoch: log.epoch, seq: log.head,
      transaction: log.events.last?.transaction ?? TransactionID(UUID(high: 0, low: 0)),
      bodies: bodies, bytesMax: 300)
    return (status(.snapshot), pages + [live])
  }
}
