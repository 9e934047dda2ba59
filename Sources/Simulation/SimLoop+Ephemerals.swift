// Ephemeral values (it mirrors Server/Loops/ServerLoop+Ephemerals), and beside them what this loop's connections have
// said and not taken back. The latter is written down without the board: at the end everybody must have been told it.

import Domain
import Sync
import Wire

/// A value that a connection holds, as its loop accepted it.
struct SaidMoment {
  struct Name: Hashable {
    let link: Int
    let topic: EphemeralTopic
    let post: PostID?
  }

  let user: UserID
  let progress: Progress?
  /// The time at which this value was first said; `until` is the time at which it is over.
  let at: Int64
  let until: Int64
}

struct SimMoments {
  var board: EphemeralBoard
  var pending = PendingTopics()
  var words = RunWords()
  var wakesAt: Int64?
  var said: [SaidMoment.Name: SaidMoment] = [:]

  init(loop: Int) { board = EphemeralBoard(loop: loop) }
}

extension SimLoop {
  private var milliseconds: Int64 { world.time }

  // MARK: What happens

  func say(_ link: Int, _ user: UserID, _ request: EphemeralRequest) -> RequestOutcome {
    let connection = HubConnection(UInt64(link))
    guard hub.follows(connection, request.stream) else {
      return .failed(.refused(.notFound(request.stream.noun)))
    }
    if let failure = moments.board.set(request, by: connection, user, at: milliseconds) {
      return .failed(failure)
    }
    write(request, link, user)
    if let word = moments.words.word(of: request, by: user, at: milliseconds) {
      server.runs.heard(word, at: milliseconds)
      world.truth.heard(word, at: milliseconds)
    }
    return .noted
  }

  private func write(_ request: EphemeralRequest, _ link: Int, _ user: UserID) {
    let topic = EphemeralTopic(stream: request.stream, kind: request.kind)
    let name = SaidMoment.Name(link: link, topic: topic, post: request.post)
    let (isSet, progress, holds): (Bool, Progress?, Int64) =
      switch request {
      case .presence(_, let isHere): (isHere, nil, 45_000)
      case .typing(_, _, let isTyping): (isTyping, nil, 5_000)
      case .progress(_, _, let progress): (progress != nil, progress, 600_000)
      }
    guard isSet else { return moments.said[name] = nil }
    let isSame = progress == nil && moments.said[name] != nil
    moments.said[name] = SaidMoment(
      user: user, progress: progress,
      at: isSame ? moments.said[name]?.at ?? milliseconds : milliseconds,
      until: milliseconds + holds)
  }

  func addPendingMoments(_ link: Int, of stream: StreamID) {
    for topic in moments.board.topics(of: stream) {
      moments.pending.add(HubConnection(UInt64(link)), topic)
    }
  }

  /// Ends the values of a connection that follows the stream no longer, or from the beginning again.
  func endMoments(_ link: Int, of stream: StreamID) {
    let connection = HubConnection(UInt64(link))
    moments.board.end(connection, in: stream, at: milliseconds)
    moments.pending.forget(connection, stream)
    moments.said = moments.said.filter { $0.key.link != link || $0.key.topic.stream != stream }
    if hub.follows(connection, stream) { addPendingMoments(link, of: stream) }
  }

  func endMoments(_ link: Int) {
    moments.board.remove(HubConnection(UInt64(link)), at: milliseconds)
    moments.pending.forget(HubConnection(UInt64(link)))
    moments.said = moments.said.filter { $0.key.link != link }
  }

  func noteMoments(_ news: StreamNews<[UInt8]>) {
    for edge in news.ended {
      moments.board.ended(edge.user, in: news.stream, at: milliseconds)
      moments.said = moments.said.filter {
        $0.value.user != edge.user || $0.key.topic.stream != news.stream
      }
    }
    moments.board.closed(news.closed, in: news.stream, at: milliseconds)
    moments.said = moments.said.filter { name, _ in
      name.topic != EphemeralTopic(stream: news.stream, kind: .progress)
        || !news.closed.contains { $0 == name.post }
    }
    for edge in news.begun {
      for connection in hub.connections(of: edge.user) where hub.follows(connection, news.stream) {
        addPendingMoments(Int(connection.value), of: news.stream)
      }
    }
  }

  // MARK: Telling

  /// Tells other loops and connections what is due, at the end of each turn.
  func tellMoments() {
    guard !moments.board.isEmpty || !moments.pending.isEmpty else { return }
    let notes = moments.board.takeNotes()
    if !notes.isEmpty {
      for other in server.loops.indices where other != index {
        server.post(.moments(notes), to: other)
      }
    }
    for set in moments.board.due(at: milliseconds) { tell(set) }
    if let wakesAt = moments.wakesAt, wakesAt > milliseconds { return wakeForMoments() }
    for connection in moments.pending.connections { tellPending(Int(connection.value)) }
    wakeForMoments()
  }

  private func tell(_ set: EphemeralSet) {
    let topic = EphemeralTopic(stream: set.stream, kind: set.kind)
    checkAccess(set)
    for connection in hub.followers(of: set.stream) {
      if canHear(connection, set.stream) {
        send(Push.ephemeral(set), Int(connection.value))
      } else {
        moments.pending.add(connection, topic)
      }
    }
  }

  func tellPending(_ link: Int) {
    guard !moments.pending.isEmpty else { return }
    let connection = HubConnection(UInt64(link))
    for topic in moments.pending.take(connection, if: { canHear(connection, $0.stream) }) {
      let set = moments.board.set(of: topic)
      checkAccess(set)
      send(Push.ephemeral(set), link)
    }
  }

  private func canHear(_ connection: HubConnection, _ stream: StreamID) -> Bool {
    hub.isCurrent(connection, stream) && world.pendingBytes(Int(connection.value)) == 0
  }

  private func wakeForMoments() {
    let now = milliseconds
    if let wakesAt = moments.wakesAt, wakesAt <= now { moments.wakesAt = nil }
    let pending = moments.pending.isEmpty ? nil : now + 500
    guard let next = [moments.board.dueAt, pending].compactMap(\.self).min(),
      moments.wakesAt.map({ next < $0 }) ?? true
    else { return }
    moments.wakesAt = next
    world.schedule(after: max(1, next - now), .momentsDue(server.generation, index))
  }

  /// Checks P9: nobody is shown where they are no member; a loop hears of an end within a second.
  private func checkAccess(_ set: EphemeralSet) {
    for entry in set.entries ?? [] where !world.hasAccess(entry.user, to: set.stream) {
      world.fail("P9 \(entry.user) is shown in \(set.stream) and is no member")
    }
  }
}

extension SimServer {
  /// Returns all values that the connections of all loops hold; nil when there are none.
  func moments(of topic: EphemeralTopic) -> EphemeralSet? {
    let now = world.time
    var newest: [EphemeralEntry] = []
    var all: [(name: SaidMoment.Name, it: SaidMoment)] = []
    for loop in loops {
      all += loop.moments.said.filter { $0.key.topic == topic && $0.value.until > now }
        .map { ($0.key, $0.value) }
    }
    all.sort { order($0) < order($1) }
    for (name, it) in all {
      newest.removeAll { $0.user == it.user && $0.post == name.post }
      newest.append(EphemeralEntry(user: it.user, post: name.post, progress: it.progress))
    }
    guard !newest.isEmpty else { return nil }
    newest.sort { isBefore($0, $1) }
    return EphemeralSet(
      stream: topic.stream, kind: topic.kind, count: newest.count, entries: newest)
  }

  private func order(_ said: (name: SaidMoment.Name, it: SaidMoment)) -> (Int64, Int, Int) {
    (said.it.at, world.links[said.name.link].loop, said.name.link)
  }

  private func isBefore(_ left: EphemeralEntry, _ right: EphemeralEntry) -> Bool {
    guard left.user == right.user else { return left.user < right.user }
    guard let post = right.post else { return false }
    return left.post.map { $0 < post } ?? true
  }
}
