// The library for programs and bots: the part of this package that other packages see (product `WhattodoClient`). A
// bot:
//
//   import Client
//
//   let todo = try Todo(program: "nightly", keeping: .queue)
//   try todo.waitUntilLevel()
//   guard let builds = todo.list(named: "#builds") else { exit(1) }
//   let post = try todo.add("build 42", to: builds)
//   try post.wait()
//   for await _ in todo.changes {
//     for post in todo.posts(in: builds) where !post.isDone { … }
//   }
//
// Calls that wait for the network say so; most of their names begin with `wait`. A change counts at once: it is shown,
// kept (on disk with `.queue`), sent until the server has answered, and takes effect exactly once. One thread, or one
// task, owns a `Todo`.

import Domain
import Sync
import Text
import Wire

/// The lists of one signed-in person or bot, as they are and as they change.
public final class Todo {
  /// The things that outlive the program.
  public enum Keeping: Sendable {
    /// Nothing is kept: copies and unsent changes go with the program.
    case nothing
    /// Unanswered changes, and copies of the lists, are kept in the state folder. One program at a time may use it.
    case queue
  }

  /// The time of a wait unless another is given: longer than a server's restart.
  public static let patienceMilliseconds = 30_000

  /// A stream with an element when something has happened since the last one: look at what you show again. However slow
  /// you are, at most one element lies ready, and what you then see is the latest. It is for one loop, and ends with
  /// `close`.
  public let changes: AsyncStream<Void>

  let client: Client
  private let signal: AsyncStream<Void>.Continuation
  /// The refusals of imports that are not told yet, the oldest first.
  private var refusedImports: [UnsentCommand] = []

  /// Connects with the session that a state folder keeps (`whattodo login`, or `Todo.login`), at once and again
  /// whenever the connection is lost. `state` is the folder; nil means `~/.local/state/whattodo`. `authorities` is a
  /// PEM file with the certificate authorities to trust; nil means the one of the login, or the system's. `program` is
  /// the name that the person sees in the list of their sessions. Throws `signed_out` when the folder has no session,
  /// `folder`, `authorities`, `machine`.
  public init(
    state: String? = nil, authorities: String? = nil, program: String, version: String = "1",
    keeping: Keeping = .nothing
  ) throws(TodoError) {
    let (changes, signal) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.changes = changes
    self.signal = signal
    let (folder, session) = try Todo.session(in: state)
    do throws(ClientError) {
      client = try Client(
        server: ServerAddress(session.server), authorities: authorities ?? session.authorities,
        token: session.token, program: ClientName(name: program, version: version),
        files: keeping == .queue ? AccountFiles(in: folder, of: session) : nil,
        onNews: { signal.yield() })
    } catch {
      throw TodoError(error)
    }
  }

  private static func session(
    in state: String?
  ) throws(TodoError) -> (StateFolder, StateFolder.Session) {
    do throws(ClientError) {
      let folder = try StateFolder(path: state)
      if let session = try folder.session() { return (folder, session) }
      throw .ended(.signedOut)
    } catch {
      guard case .ended(.signedOut) = error else { throw TodoError(error) }
      throw TodoError(
        error, saying: "nobody is signed in at \(state ?? "~/.local/state/whattodo")")
    }
  }

  /// Signs in and keeps the session in a state folder, replacing the one there. `server` is `wss://host[:port]`;
  /// `ws://` sends the password unencrypted. Throws `unauthenticated`, `rate_limited`, `address`, `folder`,
  /// `timed_out`.
  public static func login(
    server: String, username: String, password: String, state: String? = nil,
    authorities: String? = nil, program: String
  ) throws(TodoError) {
    do throws(ClientError) {
      let folder = try StateFolder(path: state)
      let address = try ServerAddress(server)
      let name = ClientName(name: program, version: "1")
      let door = try Client(
        server: address, authorities: authorities, token: nil, streams: .none, program: name)
      defer { door.close() }
      let device = try folder.device()
      let result = try door.login(
        username: username, password: password, client: name, device: device
      ).wait()
      try folder.save(
        StateFolder.Session(
          server: address.url, username: username, token: result.token,
          authorities: authorities.map { StateFolder.fullPath($0) }))
    } catch {
      throw TodoError(error)
    }
  }

  /// Says goodbye and ends the connection's thread. With `.queue`, unanswered changes are sent the next time.
  public func close() {
    client.close()
    signal.finish()
  }

  /// Waits until every copy is level with the server. Throws `timed_out`, `signed_out`, `unconnected`.
  public func waitUntilLevel(
    milliseconds: Int = Todo.patienceMilliseconds
  ) throws(TodoError) {
    guard !client.waitUntilLevel(milliseconds: milliseconds) else { return }
    if case .ended(let reason) = client.standing { throw TodoError(.ended(reason)) }
    throw TodoError(client.obstacle.map { .unconnected($0) } ?? .timedOut)
  }

  /// Whether there is a connection and every copy was level with the server on it.
  public var isLevel: Bool {
    look()
    return client.isLevel
  }

  // MARK: Lists and posts

  /// The lists that the account may see, in its own order (`move(_:before:)`). Lists that are not confirmed yet are
  /// included.
  public var lists: [TodoList] {
    look()
    let own = client.user.flatMap { client.view[.user($0)] }
    let all = client.view.values.compactMap { TodoList($0) }
      .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    return (own?.listsInOrder ?? []).ordering(all) { $0.category }
  }

  /// Returns a list by its name as a person writes it: `#big-shop`, `Big shop`. It is the first by id when several have
  /// the name.
  public func list(named name: String) -> TodoList? {
    look()
    return client.category(named: Text.cleaned(line: name)).flatMap {
      client.view[.category($0.id)]
    }
    .flatMap { TodoList($0) }
  }

  /// Returns the open posts of a list and the newest done ones, by number. Posts that are not confirmed yet are
  /// included.
  public func posts(in list: TodoList) -> [TodoPost] {
    look()
    let stream = StreamID.category(list.category)
    let pending = client.overlay.pending[stream] ?? []
    return (client.view[stream]?.objects.values).map { objects in
      objects.compactMap { TodoPost($0, pending: pending) }.sorted {
        ($0.number, $0.id) < ($1.number, $1.id)
      }
    } ?? []
  }

  /// The changes that the server refused and that nobody waited for, oldest first. They stay with their text until
  /// `again` or `discard`. Refused posts of an import are here once, the first time that somebody looks: they are kept
  /// nowhere, and the next import brings them again.
  public var refused: [TodoRefusal] {
    look()
    defer { refusedImports = [] }
    return refusedImports.map { TodoRefusal($0) } + client.unsent.map { TodoRefusal($0) }
  }

  /// The number of changes that are not answered yet.
  public var waitingCount: Int {
    look()
    return client.waiting.count
  }

  /// Takes the news that have arrived.
  func look() {
    for case .unsent(let unsent) in client.takeNews() where unsent.queued.command.isImport {
      refusedImports = (refusedImports + [unsent]).suffix(Todo.refusedImportsMax)
    }
  }

  /// The most refusals of imports that are kept for a program that may never ask for them.
  private static let refusedImportsMax = 100
}
