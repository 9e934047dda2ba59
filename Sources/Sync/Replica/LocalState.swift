// A person's view: the confirmed copies as the replica tells them, the commands that they have asked for on top, and
// what came back. It is the other half of the client's brain. The replica stands at the connection; the local state
// stands where the program is, which may be another thread. `QueuedCommand`s go one way between them, `ReplicaEffect`s
// the other. The local state is pure, so the simulator and the client run the same code. Its owner keeps records on
// disk as the rules of `Outbox` say: those of `queueing` before anything else happens, those of effects at any time.

package import Domain
package import Wire

/// Copies, queue and refusals of one person, and how they look together.
package struct LocalState: Sendable {
  /// The confirmed copies.
  package private(set) var copies: [StreamID: StreamState] = [:]
  /// The cursor of each copy.
  package private(set) var cursors: [StreamID: CursorPosition] = [:]
  package private(set) var outbox: Outbox
  package private(set) var user: UserID?
  /// The streams whose copy already has the event of a queued command, by the command's key.
  private var landed: [CommandKey: Set<StreamID>] = [:]
  private var madeOverlay: Overlay?
  private let almanac: Almanac

  /// Begins with what an earlier local state left behind (`saved`, `outbox`). `almanac` computes when a post comes
  /// again.
  package init(
    saved: SavedCopies? = nil, outbox: Outbox = Outbox(), almanac: Almanac
  ) {
    self.almanac = almanac
    self.outbox = outbox
    user = saved?.user
    for copy in saved?.copies ?? [] {
      copies[copy.state.stream] = copy.state
      cursors[copy.state.stream] = copy.cursor
    }
  }

  // MARK: What the replica tells

  package mutating func signedIn(as user: UserID) {
    self.user = user
    madeOverlay = nil
  }

  package mutating func replaced(_ state: StreamState, _ cursor: CursorPosition) {
    copies[state.stream] = state
    cursors[state.stream] = cursor
    for post in state.erasedPosts { outbox.eraseText(of: post) }
    madeOverlay = nil
  }

  /// Applies the next event of a stream. Returns what it changed in the confirmed copy, in the order of its ops.
  package mutating func happened(_ event: Event, in stream: StreamID) -> [ObjectChange] {
    madeOverlay = nil
    // The copy is taken out while it changes, so that the dictionary holds no second reference.
    guard var state = copies.removeValue(forKey: stream), let cursor = cursors[stream] else {
      return []
    }
    let changes = state.apply(event)
    copies[stream] = state
    for post in event.erasedPosts(in: stream) { outbox.eraseText(of: post) }
    cursors[stream] = CursorPosition(
      epoch: cursor.epoch, seq: event.seq, transaction: event.transaction)
    if let key = event.key, event.by == user, outbox.waiting.contains(where: { $0.key == key }) {
      landed[key, default: []].insert(stream)
    }
    return changes
  }

  /// Drops the copy of a stream that is not ours any more; returns its last state.
  package mutating func gone(_ stream: StreamID) -> StreamState? {
    cursors[stream] = nil
    madeOverlay = nil
    return copies.removeValue(forKey: stream)
  }

  // MARK: The queue

  /// Returns the command as it goes into the queue: keep the record, then `apply` it, then hand it to the replica.
  package mutating func queueing(
    _ command: Command, key: CommandKey, at time: Timestamp, number: Int64
  ) -> QueuedCommand {
    queueing(command, key: key, at: time, number: number, again: nil)
  }

  /// Returns a refused command as it is queued once more. It keeps its key, so that it happens only once whatever
  /// became of it. It keeps its base, by which the server sees whether it may have forgotten the key. When the server
  /// has said so (`stale_base`), the person has looked, and asks again under `newKey`.
  package mutating func queueing(
    again unsent: UnsentCommand, newKey: CommandKey, at time: Timestamp, number: Int64
  ) -> QueuedCommand {
    let queued = unsent.queued
    guard unsent.reason.kind == .staleBase else {
      return queueing(queued.command, key: queued.key, at: time, number: number, again: unsent)
    }
    let home = user.flatMap { cursors[queued.command.home(of: $0)] }
    let isOfNotes = queued.command.notesEdit != nil
    var command = isOfNotes ? queued.command.atVersion(nil) : queued.command
    // Its versions and numbers of occurrences belong to another history.
    if !isOfNotes, home?.epoch != queued.base?.epoch {
      command = command.asSeen { view(of: .category($0.category))?.post($0.post) }
    }
    return queueing(command, key: newKey, at: time, number: number, again: unsent)
  }

  private mutating func queueing(
    _ command: Command, key: CommandKey, at time: Timestamp, number: Int64, again: UnsentCommand?
  ) -> QueuedCommand {
    let earlier = again?.queued
    let base = earlier?.key == key ? earlier?.base : nil
    let home = user.map { command.home(of: $0) }
    // The version is that of the post with the waiting commands on top. When others have changed the post meanwhile, it
    // is another version.
    let command = command.withVersions(anew: again != nil) {
      view(of: .category($0.category))?.post($0.post)?.version
    }.namingDues(
      seen: { address, earlier in
        guard !earlier.isEmpty else {
          return view(of: .category(address.category))?.post(address.post)
        }
        let queued = QueuedCommand(number: number, command: .batch(earlier), key: key, at: time)
        let stream = StreamID.category(address.category)
        return (overlay(of: outbox.waiting + [queued]).states[stream] ?? copies[stream])?
          .post(address.post)
      }, confirmed: { post($0) })
    // Only a change of notes needs the post as the person sees it, because that costs a decision for each command that
    // waits.
    let address = command.notesEdit == nil ? nil : command.post
    let seen = address.flatMap { view(of: .category($0.category))?.post($0.post) }
    var queued = outbox.queueing(
      command, key: key, at: time, number: number, base: base ?? home.flatMap { cursors[$0] },
      seen: seen, confirmed: address.flatMap { post($0) })
    // The list has no copy while the command is sent again. Then the notes that the person saw before count, and the
    // server tells what is there.
    if let earlier, address != nil, queued.seenNotes == nil, queued.follows == nil,
      earlier.seenNotes != nil || earlier.key != key
    {
      queued.seenNotes = earlier.seenNotes
      queued.follow(Command.noVersion)
    }
    return queued
  }

  /// Returns a command that is not queued. A change of notes is made at the version that the copy has.
  package func seen(_ command: Command) -> Command {
    guard command.notesEdit != nil, let address = command.post else {
      return command.withVersions { post($0)?.version }
    }
    return command.seeing(post(address))
  }

  package mutating func apply(_ record: OutboxRecord) {
    outbox.apply(record)
    let waiting = Set(outbox.waiting.map(\.key))
    landed = landed.filter { waiting.contains($0.key) }
    madeOverlay = nil
  }

  /// The notes that others changed at the same time, for the person to decide. Conflicts that settle by themselves when
  /// earlier commands are done are left out.
  package var conflicts: [Conflict] {
    outbox.conflicts { confirmed($0) }.filter { conflict in
      let seen = outbox.unsent(conflict.number)?.queued.seenNotes
      return !outbox.waiting.contains { waiting in
        waiting.command.post == conflict.address && waiting.command.notesEdit?.notes == seen
      }
    }
  }

  /// The automatic ways to settle refusals that are no conflicts.
  package var remedies: [(number: Int64, remedy: Remedy)] {
    outbox.remedies { confirmed($0) }
  }

  // MARK: How it looks

  /// Returns a stream's copy with the waiting commands on top.
  package mutating func view(of stream: StreamID) -> StreamState? {
    overlay.states[stream] ?? copies[stream]
  }

  /// Returns all copies with the waiting commands on top.
  package mutating func view() -> [StreamID: StreamState] {
    copies.merging(overlay.states) { _, seen in seen }
  }

  /// The effect of the waiting commands; computed on demand after a change. Costs a decision for each command that
  /// waits.
  package var overlay: Overlay {
    mutating get {
      if let madeOverlay { return madeOverlay }
      guard !outbox.waiting.isEmpty else { return Overlay() }
      let overlay = overlay(of: outbox.waiting)
      madeOverlay = overlay
      return overlay
    }
  }

  private func overlay(of queue: [QueuedCommand]) -> Overlay {
    Overlay(of: queue, by: user, landed: landed, almanac: almanac) { stream in
      guard let state = copies[stream], let cursor = cursors[stream] else { return nil }
      return (state, cursor)
    }
  }

  /// The copies with which a later local state can begin; nil before anybody was signed in.
  package var saved: SavedCopies? {
    guard let user else { return nil }
    return SavedCopies(
      user: user,
      copies: copies.keys.sorted().compactMap { stream in
        guard let state = copies[stream], let cursor = cursors[stream] else { return nil }
        return SavedCopies.Copy(state: state, cursor: cursor)
      })
  }

  private func confirmed(_ address: PostAddress) -> ConfirmedPost {
    ConfirmedPost(post(address), epoch: cursors[.category(address.category)]?.epoch)
  }

  private func post(_ address: PostAddress) -> Post? {
    copies[.category(address.category)]?.post(address.post)
  }
}

extension StreamState {
  fileprivate func post(_ id: PostID) -> Post? {
    guard case .post(let post) = object(.post, id.uuid) else { return nil }
    return post
  }
}

extension Event {
  /// Returns the posts whose text the event erases.
  package func erasedPosts(in stream: StreamID) -> [PostAddress] {
    guard case .category(let category) = stream else { return [] }
    return ops.erasedPosts.map { PostAddress(category: category, post: $0) }
  }
}

extension StreamState {
  /// The posts of the state whose text was erased.
  package var erasedPosts: [PostAddress] {
    guard case .category(let category) = stream else { return [] }
    return objects.values.compactMap { object in
      guard case .post(let post) = object, post.erased != nil else { return nil }
      return PostAddress(category: category, post: post.id)
    }
  }
}
