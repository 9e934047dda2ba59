import Domain
import Wire

// The effects of pushes and stream statuses on the copies.
extension Replica {
  mutating func apply(_ push: EventsPush) -> [ReplicaEffect] {
    guard var copy = copies[push.stream] else {
      // The beginning of a new list may come before its snapshot. With a snapshot on its way nothing is missing.
      return gathering[push.stream] == nil ? ask(push.stream) : []
    }
    switch copy.fit(push) {
    case .gap: return ask(push.stream)
    case .next(let events):
      guard !events.isEmpty else { return [] }
      for event in events { copy.apply(event) }
      copies[push.stream] = copy
      let caughtUp = awaited?.contains(push.stream) != true
      return [.happened(push.stream, events, caughtUp: caughtUp)] + settle()
    }
  }

  mutating func gather(_ page: SnapshotPage) -> [ReplicaEffect] {
    if let fresh = SnapshotGathering(page) {
      gathering[page.stream] = fresh
    } else if gathering[page.stream]?.add(page) != true {
      gathering[page.stream] = nil
      return ask(page.stream)
    }
    guard let copy = gathering[page.stream]?.copy else { return [] }
    gathering[page.stream] = nil
    let before = copies.updateValue(copy, forKey: page.stream)
    let isOther = before.map { $0.cursor.epoch != copy.cursor.epoch } ?? false
    requests.waive(page.stream, earlier: !isOther)
    return [.replaced(copy.state, copy.cursor)] + settle()
  }

  mutating func drop(_ stream: StreamID) -> [ReplicaEffect] {
    gathering[stream] = nil
    let known = copies.removeValue(forKey: stream) != nil
    return (known ? [.gone(stream)] : []) + settle() + level(stream)
  }

  /// Notes that the server has sent all that there was of the stream.
  mutating func level(_ stream: StreamID) -> [ReplicaEffect] {
    awaited?.remove(stream)
    guard awaited?.isEmpty == true else { return [] }
    awaited = nil
    return [.allLevel]
  }

  mutating func greeted(_ hello: HelloResult, now: Int64) -> [ReplicaEffect] {
    user = hello.user
    backoff.advice = hello.retry
    phase = .live(since: now)
    awaited = Set(hello.streams.map(\.stream))
    let statuses = hello.streams.flatMap { take($0) }
    let level = hello.streams.isEmpty ? nothingAwaited() : []
    return [.standing(.live(as: hello.user))] + statuses + level + sendRequests()
  }

  mutating func take(_ status: StreamStatus) -> [ReplicaEffect] {
    switch status.mode {
    case .gone: return drop(status.stream)
    case .live: return level(status.stream)
    case .tail, .snapshot: return []
    }
  }

  /// Takes the status of a stream that the program asked for again, perhaps on an earlier connection, with a cursor
  /// from then. What was on its way then does not come any more. A status "live" counts only when our copy goes as far
  /// as the server's head.
  mutating func reopened(_ status: StreamStatus) -> [ReplicaEffect] {
    guard status.mode == .live, let head = status.head else { return take(status) }
    let cursor = copies[status.stream]?.cursor
    guard let cursor, cursor.epoch == status.epoch, cursor.seq >= head else {
      return ask(status.stream)
    }
    return take(status)
  }

  private mutating func nothingAwaited() -> [ReplicaEffect] {
    awaited = nil
    return [.allLevel]
  }

  /// Asks for a stream again, from the end of our copy; only once until it is answered.
  private mutating func ask(_ stream: StreamID) -> [ReplicaEffect] {
    guard case .live = phase, asked.insert(stream).inserted else { return [] }
    let cursor = Cursor(stream: stream, position: copies[stream]?.cursor)
    return [message(.open([cursor]), requests.own(.open(stream)))]
  }

  /// Tells the answers of commands whose events the copies contain by now. Events of streams that are never copied are
  /// not waited for.
  mutating func settle() -> [ReplicaEffect] {
    let copies = copies
    let own = user.flatMap { selection == .all ? copies[.user($0)]?.state : nil }
    let settled = requests.settle { position in
      if let copy = copies[position.stream] { return copy.cursor.seq >= position.seq }
      // The person's own stream says that they belong to that stream, so a copy is on its way. A list that was just
      // made must not vanish between its answer and its snapshot.
      return own?.object(.membership, position.stream.uuid) == nil
    }
    return settled.flatMap { settled -> [ReplicaEffect] in
      let told = ReplicaEffect.answered(settled.ticket, .success(settled.answer))
      guard settled.isQueued else { return [told] }
      return [.outbox(.settled(settled.ticket.number, version: settled.version)), told]
    }
  }
}
