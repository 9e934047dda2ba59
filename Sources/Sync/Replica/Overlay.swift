// The copies that the screen shows: the confirmed ones with the queued commands applied on top, in their order, by the
// rules by which the server will decide them. Commands that these rules cannot decide from the copies (a user's name, a
// post that is in no copy), and commands that they refuse, are shown as "sending" and not as done. It is computed again
// whenever a copy or the queue has changed; nothing in it is ever kept or sent.

package import Domain
package import Wire

/// The copies as they will be when the waiting commands are done.
package struct Overlay: Sendable {
  /// Returns the copy of a stream and its cursor.
  package typealias Copies = (StreamID) -> (state: StreamState, cursor: CursorPosition)?

  /// The copies that differ from the confirmed ones.
  package private(set) var states: [StreamID: StreamState] = [:]
  /// The objects in them that are not confirmed.
  package private(set) var pending: [StreamID: Set<ObjectKey>] = [:]
  /// The numbers of the queued commands that show in no copy.
  package private(set) var sending: [Int64] = []
  private var heads: [StreamID: CursorPosition] = [:]

  /// Makes the overlay of an empty queue.
  package init() {}

  /// Applies the queue to the copies. `landed` has the streams whose copy contains a command's event already, by the
  /// command's key.
  package init(
    of queue: [QueuedCommand], by user: UserID?, landed: [CommandKey: Set<StreamID>],
    almanac: Almanac, on copies: Copies
  ) {
    for queued in queue {
      guard let user, let decision = decide(queued, by: user, almanac, on: copies) else {
        if landed[queued.key] == nil { sending.append(queued.number) }
        continue
      }
      for draft in decision.drafts where landed[queued.key]?.contains(draft.stream) != true {
        apply(draft, of: queued, by: user, on: copies)
      }
    }
  }

  private mutating func apply(
    _ draft: Draft, of queued: QueuedCommand, by user: UserID, on copies: Copies
  ) {
    let stream = draft.stream
    // The state is taken out while it changes, because a second reference would make it copy itself.
    let taken = states.removeValue(forKey: stream)
    guard var state = taken ?? state(of: stream, for: queued.command, on: copies) else { return }
    let before = cursor(of: stream, on: copies)
    let event = Event(
      seq: (before?.seq ?? 0) + 1,
      transaction: TransactionID(UUID(high: 0, low: UInt64(queued.number))), at: queued.at,
      by: user, key: queued.key, ops: draft.ops)
    let changes = state.apply(event)
    states[stream] = state
    heads[stream] = CursorPosition(
      epoch: before?.epoch ?? Epoch(""), seq: event.seq, transaction: event.transaction)
    pending[stream, default: []].formUnion(changes.map(\.key))
  }

  // MARK: Deciding

  /// The number of times that a decision may ask for what it needs: a few steps, each for all needs that it knows.
  private static let stepsMax = 16

  private func decide(
    _ queued: QueuedCommand, by user: UserID, _ almanac: Almanac, on copies: Copies
  ) -> Decision? {
    var world = World(bytesMax: 0)
    for _ in 0..<Overlay.stepsMax {
      do throws(Halt) {
        return try Domain.decide(
          queued.command, by: Actor(user: user, session: nil), at: queued.at, in: &world,
          almanac: almanac)
      } catch {
        guard case .needs(let needs) = error else { return nil }
        for need in needs {
          guard let loaded = answer(need, for: queued.command, on: copies) else { return nil }
          world.provide(need, loaded)
        }
      }
    }
    return nil
  }

  /// Returns what the copies say; nil when they cannot know.
  private func answer(_ need: Need, for command: Command, on copies: Copies) -> Loaded? {
    switch need {
    case .head(let stream):
      .head(
        cursor(of: stream, on: copies).map {
          StreamHead(
            epoch: $0.epoch, seq: $0.seq, at: Timestamp(milliseconds: 0),
            transaction: $0.transaction ?? TransactionID(UUID(high: 0, low: 0)))
        })
    // A rule asks for an object in somebody else's inbox only to say there what became of it. And nobody else is told
    // whether another owner's account is to end.
    case .object(.user(let other), let key)
    where [.invitation, .profile].contains(key.kind) && copies(.user(other)) == nil:
      .object(nil)
    // Somebody who is in a list of a group, and not in the group, does not know whether the group has talk.
    case .object(.group(let group), let key)
    where key.kind == .group && command.talk != nil
      && state(of: .group(group), for: command, on: copies) == nil:
      .object(nil)
    case .objects(.user(let other), let kind)
    where [.personal, .reminder, .notice].contains(kind) && copies(.user(other)) == nil:
      .objects([])
    case .ranks(.user(let other), _) where copies(.user(other)) == nil: .ranks([])
    // Only the server knows of an id that was used and is not any more; that hardly ever happens.
    case .codeSpent: .flag(false)
    // Only the server knows which bots leave together with their owner.
    case .bots: .users([])
    case .object(let stream, let key):
      state(of: stream, for: command, on: copies).map { .object($0.objects[key]) }
    case .objects(let stream, let kind):
      state(of: stream, for: command, on: copies).map { state in
        .objects(state.objects.values.filter { $0.key.kind == kind })
      }
    case .ranks(let stream, let kind):
      state(of: stream, for: command, on: copies).map { state in
        .ranks(state.ranks.filter { $0.key.kind == kind })
      }
    // A line of talk mentions members only, so a name that no member has is that of nobody.
    case .username(let name) where command.talk != nil:
      command.talk.flatMap { state(of: $0, for: command, on: copies) }.map {
        .user($0.member(named: name))
      }
    // Undo reads the log, which only the server has. And others may decide meanwhile which post is the next one.
    case .username, .account, .sessions, .webhooks, .past, .commandEvents, .trails, .queue,
      .imported:
      nil
    }
  }

  private func cursor(of stream: StreamID, on copies: Copies) -> CursorPosition? {
    heads[stream] ?? copies(stream)?.cursor
  }

  /// Returns the copy of a stream; an empty one for the stream that the command itself begins.
  private func state(
    of stream: StreamID, for command: Command, on copies: Copies
  ) -> StreamState? {
    if let known = states[stream] ?? copies(stream)?.state { return known }
    return command.begins(stream) ? StreamState(stream: stream) : nil
  }
}

extension Command {
  /// The stream of a command about a line of talk. Nil for every other command.
  fileprivate var talk: StreamID? { if case .line(let it) = self { it.stream } else { nil } }

  fileprivate func begins(_ stream: StreamID) -> Bool {
    if case .category(.add(let id, _)) = self { return stream == .category(id) }
    if case .group(.add(let id, name: _)) = self { return stream == .group(id) }
    return false
  }
}

extension StreamState {
  /// Returns the member with this username who is there now.
  fileprivate func member(named name: String) -> UserID? {
    for case .member(let it) in objects.values where it.username == name && it.role != nil {
      return it.id
    }
    return nil
  }
}
