// A person's or a bot's way to a server. The terminal, the tests and the public library (`Todo`) stand on it.
//
// One thread owns a `Client` and calls it. Another thread, which the client starts, owns the connection and the
// `Replica`. Between them are two mailboxes. Calls never wait for the network: they return a handle, and its `wait`
// waits. A request is sent again after a lost connection until it is answered, with the same key, so it takes effect
// once. Things that the server pushes arrive as `ClientNews` when the owner asks for it (`takeNews`, `waitForNews`, or
// inside any `wait`). `streams` changes then and only then, so it never moves under the caller's feet.

import Calendar
import Crypto
package import Domain
import Net
package import Sync
package import Wire

/// One connection to a server, kept alive, with copies of the streams it follows.
package final class Client {
  /// The most news kept for a caller who does not take them. Beyond it the oldest are dropped (`streams` stays right).
  static let newsMax = 10_000

  /// The confirmed copies, as of the last news taken. At the start they are those of the last time.
  package var streams: [StreamID: StreamState] { local.copies }
  /// The copies with the queued commands on top: what to show.
  package var view: [StreamID: StreamState] { local.view() }
  /// The things in `view` that are not confirmed, and the queued commands that show nowhere.
  package var overlay: Overlay { local.overlay }
  /// The number of the newest event in each confirmed copy.
  package var heads: [StreamID: Int64] { local.cursors.mapValues(\.seq) }
  /// The things that hold for a moment: who is here, who is typing, how far bots have come.
  package internal(set) var ephemerals: [EphemeralTopic: EphemeralSet] = [:]
  package internal(set) var standing = Standing.connecting
  /// The signed-in user. Nil until `hello` was answered; with files it is known from the last time.
  package var user: UserID? { local.user }
  /// The reason why there is no connection. Nil while there is one, and before the first try has ended.
  package internal(set) var obstacle: Disconnection?
  /// Whether every stream has been level with the server since the last connection.
  package internal(set) var isLevel = false

  package let server: ServerAddress
  var local: LocalState
  var files: AccountFiles?
  private let group: LoopGroup
  let orders: Mailbox<ClientOrder>
  private let effects: Mailbox<ReplicaEffect>
  var news: [ClientNews] = []
  var answers: [RequestTicket: Result<ReplicaAnswer, RequestFailure>] = [:]
  var awaited: Set<RequestTicket> = []
  private var lastTicket: Int64
  /// The numbers of commands that were refused and not told yet. A refusal that settles by itself is not told at all.
  var untold: [Int64] = []
  /// The ticket that the handle has, by the ticket of the command that was queued again by itself.
  var instead: [RequestTicket: RequestTicket] = [:]
  /// The ticket of the repeat that was refused in the end, by the ticket of the handle.
  var refusedAs: [RequestTicket: RequestTicket] = [:]
  var copiesSavedAt = MachineClock.monotonic()
  var haveCopiesChanged = false
  /// Whether the files may have a text that was erased, or the name of a person of whom nothing is left.
  var keepsErased = false
  /// Whether the files have a copy that came whole again: no event says what was erased meanwhile. The copies of a
  /// connection come one after the other, so they are written together, as soon as everything is level.
  var keepsReplaced = false

  /// Connects at once, and again whenever the connection is lost. Over `wss` the server has to show a certificate for
  /// its name from an authority of the file `authorities` (PEM), or of the system's own. `onNews` is called on the
  /// connection's thread when there is something to take. When `untakenMax` pieces of news lie untaken, the server is
  /// not read any more until some are taken. With `files` the client begins with the copies and the queue of the
  /// last time and keeps both; without one they live as long as the client. `link` is the code of a link, instead of a
  /// token. Throws `.machine` when no thread can be started, and `.authorities` when that file cannot be used.
  package init(
    server: ServerAddress, authorities: String? = nil, token: String?, link: String? = nil,
    streams: StreamSelection = .all,
    program: ClientName = ClientName(name: "whattodo", version: Release.version),
    files: AccountFiles? = nil, untakenMax: Int = 4_096, onNews: (@Sendable () -> Void)? = nil
  ) throws(ClientError) {
    self.files = files
    self.server = server
    let local = LocalState(
      saved: files?.copies, outbox: files?.outbox ?? Outbox(), almanac: .system)
    self.local = local
    lastTicket = local.outbox.lastNumber
    // Refusals of imports that were not told before the program ended are told now.
    untold = local.outbox.unsent.filter(\.queued.command.isImport).map(\.queued.number)
    let (saved, waiting) = (files?.copies, local.outbox.waiting)
    let trust = try server.isEncrypted ? Client.trust(authorities) : nil
    do throws(NetError) {
      let orders = try Mailbox<ClientOrder>()
      let effects = try Mailbox<ReplicaEffect>()
      let seed = Identifiers.random()
      group = try LoopGroup(NetOptions()) { _ in
        ClientLoop(
          server: server, trust: trust,
          replica: Replica(
            client: program, token: link ?? token, streams: streams, saved: saved,
            waiting: waiting, isLink: link != nil),
          orders: orders, effects: effects, random: seed, untakenMax: untakenMax,
          onNews: onNews)
      }
      self.orders = orders
      self.effects = effects
    } catch {
      throw .machine(error)
    }
  }

  private static func trust(_ authorities: String?) throws(ClientError) -> TLSContext {
    do throws(TLSError) {
      return try TLSContext.client(authorityFile: authorities)
    } catch {
      throw .authorities(error.description)
    }
  }

  /// Says goodbye and waits for the connection's thread to end. Unanswered requests are given up; queued commands are
  /// sent the next time.
  package func close() {
    group.stop()
    group.wait()
    take(effects.take())
    saveCopies(evenSoon: true)
    files = nil
  }

  /// Signs in with this token from now on.
  package func signIn(token: String) { orders.post(.signIn(token: token)) }

  /// Tries again now instead of waiting.
  package func connectNow() { orders.post(.connectNow) }

  /// Asks the server for something. The typed calls of `Client+Requests` use this.
  package func submit(_ request: Request) -> RequestTicket {
    let ticket = nextTicket()
    orders.post(.submit(request, ticket))
    return ticket
  }

  func nextTicket() -> RequestTicket {
    lastTicket += 1
    return RequestTicket(number: lastTicket)
  }

  /// Asks, and returns a handle for an answer of one kind. The answer then comes through the handle, not as news.
  func ask<Value>(
    _ request: Request, _ value: @escaping (ReplicaAnswer) -> Value?
  ) -> Handle<Value> {
    let ticket = submit(request)
    awaited.insert(ticket)
    return Handle(client: self, ticket: ticket, value: value)
  }

  /// Returns a list by its name as a person writes it: `#groceries`, `groceries`, in any case, blanks as hyphens. It is
  /// the first by id when several have the name.
  package func category(named name: String) -> Category? {
    let wanted = Client.word(written: name)
    for stream in streams.keys.sorted() {
      guard case .category(let category) = streams[stream]?.object(.category, stream.uuid) else {
        continue
      }
      if category.isActive, Client.word(category.name) == wanted { return category }
    }
    return nil
  }

  static func word(written name: String) -> String {
    word(name.hasPrefix("#") ? String(name.dropFirst()) : name)
  }

  /// Returns a name as it is written behind `#`: `Big shop` and `big-shop` become the same.
  static func word(_ name: String) -> String {
    name.lowercased().split(separator: " ").joined(separator: "-")
  }

  // MARK: News

  /// Returns the news since the last time, without waiting.
  package func takeNews() -> [ClientNews] {
    take(effects.take())
    defer { news = [] }
    return news
  }

  /// Returns the news, but waits until there is something or the time is over.
  package func waitForNews(milliseconds: Int) -> [ClientNews] {
    if news.isEmpty { take(effects.wait(milliseconds: milliseconds)) }
    return takeNews()
  }

  /// Waits until the copies are level with the server. False when the time is over or it cannot be (`obstacle` may say
  /// why). News that come meanwhile stay to be taken.
  package func waitUntilLevel(milliseconds: Int) -> Bool {
    wait(milliseconds: milliseconds) { client in
      if case .ended = client.standing { return true }
      return client.isLevel || client.isDistrusted
    }
    return isLevel
  }

  /// Whether the server that answers there is not trusted. Waiting a little does not mend that.
  private var isDistrusted: Bool {
    if case .untrusted = obstacle { true } else { false }
  }

  /// Waits for the answer to a ticket that was asked for with a handle. Nil when the time is over. Throws
  /// `.unconnected` when no server that can be trusted answers there; the request stays.
  func answer(
    _ ticket: RequestTicket, milliseconds: Int
  ) throws(ClientError) -> Result<ReplicaAnswer, RequestFailure>? {
    wait(milliseconds: milliseconds) { $0.answers[ticket] != nil || $0.isDistrusted }
    let answer = answers.removeValue(forKey: ticket)
    if answer == nil, isDistrusted, let obstacle { throw .unconnected(obstacle) }
    return answer
  }

  /// Forgets an answer for which nobody waits any more.
  func forget(_ ticket: RequestTicket) {
    awaited.remove(ticket)
    answers.removeValue(forKey: ticket)
  }

  private func wait(milliseconds: Int, until isDone: (Client) -> Bool) {
    let deadline = MachineClock.monotonic() + Int64(milliseconds)
    while !isDone(self) {
      let left = deadline.milliseconds - MachineClock.monotonic().milliseconds
      guard left > 0 else { return }
      take(effects.wait(milliseconds: Int(left)))
    }
  }
}
