import Calendar
import Domain
import Testing
import Wire

@testable import Sync

/// A person with a client that can crash: a replica and a local state in memory, an outbox and copies on a disk, and a
/// network to a model server.
struct Person {
  var server = ModelServer()
  var local = LocalState(almanac: .system)
  private(set) var replica: Replica
  /// The part that survives a crash: records with checksums, and the copies of the last time they were saved.
  private(set) var disk: [UInt8] = []
  private(set) var savedCopies: [UInt8] = []
  /// The number of bytes of the disk that are on stable storage: up to the last queued command.
  private(set) var syncedCount = 0
  /// The messages that were sent and not delivered.
  var toServer: [[UInt8]] = []
  var toClient: [[UInt8]] = []
  private(set) var effects: [ReplicaEffect] = []
  /// The numbers of commands that were refused for a version, and put right without the person.
  private(set) var resolved: Set<Int64> = []

  /// The highest number ever. Keys are made of it, so none comes twice.
  private var asked: Int64 = 0

  init() { replica = Person.replica() }

  private static func replica(
    saved: SavedCopies? = nil, waiting: [QueuedCommand] = []
  ) -> Replica {
    Replica(
      client: ClientName(name: "test", version: "1"), token: "token", streams: .all, saved: saved,
      waiting: waiting)
  }

  // MARK: The person

  /// Queues a command. Afterwards it is on the disk.
  @discardableResult
  mutating func ask(_ command: Command) -> Int64 {
    asked = max(asked, local.outbox.lastNumber) + 1
    let number = asked
    guard let key = CommandKey("k\(number)") else { preconditionFailure("k and digits are a key") }
    let time = Timestamp(milliseconds: 1_000 + number)
    ask(local.queueing(command, key: key, at: time, number: number))
    return number
  }

  /// Queues a refused command again, as it is now.
  mutating func askAgain(_ queued: QueuedCommand, insteadOf number: Int64) {
    keep(.discarded(number))
    ask(queued)
  }

  private mutating func ask(_ queued: QueuedCommand) {
    keep(.queued(queued))
    take(replica.queue(queued))
  }

  mutating func keep(_ record: OutboxRecord) {
    disk += CheckedLines.encode([OutboxCodec.encode(record)])
    if case .queued = record { syncedCount = disk.count }
    local.apply(record)
  }

  mutating func saveCopies() {
    guard let saved = local.saved else { return }
    savedCopies = CheckedLines.encode(CopyCodec.encode(saved))
  }

  /// Does the things that need nobody's decision.
  mutating func settle() {
    for (number, remedy) in local.remedies {
      if case .again(let command) = remedy { ask(command) }
      keep(.discarded(number))
      resolved.insert(number)
    }
  }

  /// Loses power and starts anew. Up to `lost` bytes that were not on stable storage are gone.
  mutating func crash(lost: Int = 0) {
    disk.removeLast(min(lost, disk.count - syncedCount))
    toServer = []
    toClient = []
    let saved = CopyCodec.decode(CheckedLines.decode(savedCopies).lines)
    let outbox = Outbox(CheckedLines.decode(disk).lines.compactMap(OutboxCodec.decode))
    // A start writes the file anew.
    disk = CheckedLines.encode(outbox.records.map(OutboxCodec.encode))
    syncedCount = disk.count
    local = LocalState(saved: saved, outbox: outbox, almanac: .system)
    replica = Person.replica(saved: saved, waiting: outbox.waiting)
    connect()
  }

  // MARK: The network

  mutating func connect() {
    take(replica.start())
    take(replica.opened())
  }

  mutating func cut(now: Int64 = 0) {
    toServer = []
    toClient = []
    take(replica.closed(.lost, now: now, random: 0))
    toServer = []
  }

  mutating func comeBack(now: Int64 = 1_000_000) {
    take(replica.woke(now: now))
    take(replica.opened())
  }

  /// Lets the server answer one message. `events` come before or after the answer, or are lost.
  mutating func serve(eventsFirst: Bool = false, lost: Bool = false) throws {
    guard !toServer.isEmpty else { return }
    let (messages, made) = try server.answer(toServer.removeFirst())
    let pushes = lost ? [] : made.map { server.push($0) }
    toClient += eventsFirst ? pushes + messages : messages + pushes
  }

  mutating func receive() {
    guard !toClient.isEmpty else { return }
    take(replica.received(toClient.removeFirst(), now: 0))
  }

  /// Exchanges messages until nobody has anything to say.
  mutating func exchange() throws {
    repeat {
      while !toServer.isEmpty || !toClient.isEmpty {
        try serve()
        while !toClient.isEmpty { receive() }
      }
      settle()
    } while !toServer.isEmpty
  }

  private mutating func take(_ new: [ReplicaEffect]) {
    effects += new
    for effect in new {
      switch effect {
      case .send(let bytes, hasSecret: _): toServer.append(bytes)
      case .standing(.live(let user)): local.signedIn(as: user)
      case .replaced(let state, let cursor): local.replaced(state, cursor)
      case .happened(let stream, let events, caughtUp: _):
        for event in events { _ = local.happened(event, in: stream) }
      case .gone(let stream): _ = local.gone(stream)
      case .outbox(let record): keep(record)
      case .connect, .close, .hangUp, .wake, .standing, .allLevel, .answered, .ephemeral,
        .withdrawn:
        break
      }
    }
  }

  // MARK: The things that are seen

  /// Returns the titles of a list's open posts by number, as the screen shows them; a pending one has a mark.
  mutating func screen(_ list: CategoryID) -> [String] {
    let state = local.view(of: .category(list))
    let pending = local.overlay.pending[.category(list)] ?? []
    let posts = (state?.objects.values).map { $0.compactMap(Person.post) } ?? []
    return posts.sorted { $0.number < $1.number }.map { post in
      let isPending = pending.contains(ObjectKey(kind: .post, id: post.id.uuid))
      return (post.completed == nil ? "" : "✔") + post.title + (isPending ? "…" : "")
    }
  }

  mutating func notes(_ list: CategoryID, _ id: PostID) -> String? {
    guard case .post(let post) = local.view(of: .category(list))?.object(.post, id.uuid) else {
      return nil
    }
    return post.notes
  }

  private static func post(_ object: Object) -> Post? {
    if case .post(let post) = object { post } else { nil }
  }

  /// Whether the confirmed copies are the server's.
  var isLevel: Bool {
    server.logs.values.allSatisfy { log in
      local.copies[log.stream] == log.state && local.cursors[log.stream]?.seq == log.head
    }
  }
}
