// A person's or a bot's way to a server. A bot in a few lines:
//
//   let folder = try StateFolder(path: nil)
//   let client = try Client(server: ServerAddress(session.server), token: session.token)
//   _ = client.waitUntilLevel(milliseconds: 15_000)
//   if let list = client.category(named: "#builds") {
//     try client.addPost(in: list.id, title: "build 12").wait()
//   }
//   client.close()
//
// One thread owns a `Client` and calls it; another, which the client starts, owns the connection and
// the `Replica`. Between them are two mailboxes. Calls never wait for the network: they return a
// handle, and `wait` waits. A request is sent again after a lost connection until it is answered, with the
// same key, so it takes effect once. What the server pushes arrives as `ClientNews` when the owner asks for it
// (`takeNews`, `waitForNews`, or inside any `wait`); `streams` changes then and only then, so it never moves
// under the caller's feet.

import Crypto
package import Domain
import Net
package import Sync
package import Wire

/// One connection to a server, kept alive, with copies of the streams it follows.
package final class Client {
  /// News kept for a caller who does not take them; beyond, the oldest are dropped (`streams` stays right).
  static let newsMax = 10_000

  /// The copies, as of the last news taken.
  package private(set) var streams: [StreamID: StreamState] = [:]
  /// The number of the newest event in each copy.
  package private(set) var heads: [StreamID: Int64] = [:]
  /// What holds for a moment: who is here, who is typing, how far bots have come.
  package private(set) var ephemerals: [EphemeralTopic: EphemeralSet] = [:]
  package private(set) var standing = Standing.connecting
  /// Who we are; known once `hello` was answered.
  package private(set) var user: UserID?
  /// Why there is no connection; nil while there is one, and before the first try has ended.
  package private(set) var obstacle: Disconnection?
  /// Whether every stream was level with the server since the last connection.
  package private(set) var isLevel = false

  private let group: LoopGroup
  private let orders: Mailbox<ClientOrder>
  private let happenings: Mailbox<ReplicaEffect>
  private var news: [ClientNews] = []
  private var answers: [RequestTicket: Result<ReplicaAnswer, RequestFailure>] = [:]
  private var awaited: Set<RequestTicket> = []
  private var lastTicket: Int64 = 0

  /// Connects at once, and again whenever the connection is lost. Over `wss` the server has to show a certificate
  /// for its name from an authority of the file `authorities` (PEM), or of the system's own. `onNews` is called on the connection's
  /// thread when there is something to take. When `untakenMax` pieces of news lie untaken, the server is not
  /// read any more until some are taken. Throws `.machine` when no thread can be started, `.authorities` when that
  /// file cannot be used.
  package init(
    server: ServerAddress, authorities: String? = nil, token: String?,
    streams: StreamSelection = .all,
    program: ClientName = ClientName(name: "whattodo", version: "0.1"),
    untakenMax: Int = 4_096, onNews: (@Sendable () -> Void)? = nil
  ) throws(ClientError) {
    let trust = try server.isEncrypted ? Client.trust(authorities) : nil
    do throws(NetError) {
      let orders = try Mailbox<ClientOrder>()
      let happenings = try Mailbox<ReplicaEffect>()
      let seed = Identifiers.random()
      group = try LoopGroup(NetOptions()) { _ in
        ClientLoop(
          server: server, trust: trust,
          replica: Replica(client: program, token: token, streams: streams),
          orders: orders, happenings: happenings, random: seed, untakenMax: untakenMax,
          onNews: onNews)
      }
      self.orders = orders
      self.happenings = happenings
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

  /// Says goodbye and waits for the connection's thread to end. Unanswered requests are given up.
  package func close() {
    group.stop()
    group.wait()
  }

  /// From now on this token signs us in.
  package func signIn(token: String) { orders.post(.signIn(token: token)) }

  /// Tries again now instead of waiting.
  package func connectNow() { orders.post(.connectNow) }

  /// Asks the server for something. The typed calls of `Client+Requests` are made of this.
  package func submit(_ request: Request) -> RequestTicket {
    lastTicket += 1
    let ticket = RequestTicket(number: lastTicket)
    orders.post(.submit(request, ticket))
    return ticket
  }

  /// A handle for an answer of one kind. The answer then comes through the handle, not as news.
  func ask<Value>(
    _ request: Request, _ value: @escaping (ReplicaAnswer) -> Value?
  ) -> Handle<Value> {
    let ticket = submit(request)
    awaited.insert(ticket)
    return Handle(client: self, ticket: ticket, value: value)
  }

  /// A list as a person writes it: `#groceries`, `groceries`, in any case, blanks as hyphens. The first by
  /// id when several are called so.
  package func category(named name: String) -> Category? {
    let wanted = Client.word(name.hasPrefix("#") ? String(name.dropFirst()) : name)
    for stream in streams.keys.sorted() {
      guard case .category(let category) = streams[stream]?.object(.category, stream.uuid) else {
        continue
      }
      if category.removed == nil, Client.word(category.name) == wanted { return category }
    }
    return nil
  }

  private static func word(_ name: String) -> String {
    name.lowercased().split(separator: " ").joined(separator: "-")
  }

  // MARK: News

  /// What has happened since the last time, without waiting.
  package func takeNews() -> [ClientNews] {
    take(happenings.take())
    defer { news = [] }
    return news
  }

  /// The same, but waits until there is something or the time is over.
  package func waitForNews(milliseconds: Int) -> [ClientNews] {
    if news.isEmpty { take(happenings.wait(milliseconds: milliseconds)) }
    return takeNews()
  }

  /// Waits until the copies are level with the server; false when the time is over or it cannot be (`obstacle`
  /// may say why). News that come meanwhile stay to be taken.
  package func waitUntilLevel(milliseconds: Int) -> Bool {
    wait(milliseconds: milliseconds) { client in
      if case .ended = client.standing { return true }
      return client.isLevel || client.isDistrusted
    }
    return isLevel
  }

  /// What answers there is not talked with; waiting a little does not mend that.
  private var isDistrusted: Bool {
    if case .untrusted = obstacle { true } else { false }
  }

  /// The answer to a ticket that was asked for with a handle; nil when the time is over. Throws `.unconnected`
  /// when nobody who is to be trusted answers there; the request stays.
  func answer(
    _ ticket: RequestTicket, milliseconds: Int
  ) throws(ClientError) -> Result<ReplicaAnswer, RequestFailure>? {
    wait(milliseconds: milliseconds) { $0.answers[ticket] != nil || $0.isDistrusted }
    let answer = answers.removeValue(forKey: ticket)
    if answer == nil, isDistrusted, let obstacle { throw .unconnected(obstacle) }
    return answer
  }

  /// Nobody waits for this answer any more.
  func forget(_ ticket: RequestTicket) {
    awaited.remove(ticket)
    answers.removeValue(forKey: ticket)
  }

  private func wait(milliseconds: Int, until isDone: (Client) -> Bool) {
    let deadline = MachineClock.monotonic() + Int64(milliseconds)
    while !isDone(self) {
      let left = deadline.milliseconds - MachineClock.monotonic().milliseconds
      guard left > 0 else { return }
      take(happenings.wait(milliseconds: Int(left)))
    }
  }

  private func take(_ effects: [ReplicaEffect]) {
    guard !effects.isEmpty else { return }
    orders.post(.took(effects.count))
    for effect in effects { take(effect) }
    if news.count > Client.newsMax { news.removeFirst(news.count - Client.newsMax) }
  }

  private func take(_ effect: ReplicaEffect) {
    switch effect {
    case .connect, .send, .close, .hangUp, .wake: break
    case .standing(let standing): take(standing)
    case .replaced(let state, let seq):
      streams[state.stream] = state
      heads[state.stream] = seq
      news.append(.replaced(state.stream))
    case .happened(let stream, let events, let caughtUp):
      let happenings = events.map { apply($0, to: stream) }
      heads[stream] = events.last?.seq
      news.append(.happened(stream, happenings, caughtUp: caughtUp))
    case .gone(let stream):
      heads[stream] = nil
      ephemerals = ephemerals.filter { $0.key.stream != stream }
      if let last = streams.removeValue(forKey: stream) { news.append(.gone(last)) }
    case .ephemeral(let set):
      ephemerals[EphemeralTopic(stream: set.stream, kind: set.kind)] = set.count > 0 ? set : nil
      news.append(.ephemeral(set))
    case .allLevel:
      isLevel = true
      news.append(.level)
    case .answered(let ticket, let result):
      if awaited.remove(ticket) != nil {
        answers[ticket] = result
      } else {
        news.append(.answered(ticket, result.mapError(ClientError.init)))
      }
    }
  }

  private func take(_ standing: Standing) {
    self.standing = standing
    isLevel = false
    ephemerals = [:]
    switch standing {
    case .live(let user):
      self.user = user
      obstacle = nil
    case .offline(let why, retryMilliseconds: _): obstacle = why
    case .connecting, .ended: break
    }
    news.append(.standing(standing))
  }

  private func apply(_ event: Event, to stream: StreamID) -> Happening {
    // Taken out while it changes, so that the dictionary holds no second copy.
    guard var state = streams.removeValue(forKey: stream) else {
      return Happening(event: event, changes: [], notifications: [])
    }
    let changes = state.apply(event)
    streams[stream] = state
    let viewer = user.map { Viewer(user: $0, joinedSeq: state.joinedSeq(of: $0)) }
    return Happening(
      event: event, changes: changes,
      notifications: viewer.map { notify(event, in: stream, viewer: $0) } ?? [])
  }
}

extension StreamState {
  fileprivate func joinedSeq(of user: UserID) -> Int64 {
    guard case .member(let member) = object(.member, user.uuid) else { return 0 }
    return member.joinedSeq
  }
}
