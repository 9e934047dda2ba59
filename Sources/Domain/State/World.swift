// What the deciding side knows, in two layers:
//  - loaded: the store's answers, about what is committed. Two generations: what was used since the
//    last turn is young; when the young fill half of the limit they become the old ones and the old
//    ones go. So at least what was used last stays, for one comparison per batch and no list to keep.
//  - staged: what this batch does on top. Every question is answered through it. It is merged into the
//    loaded layer by `commit` and dropped by `rollback`: before that nobody else sees it.
//  - read: past events and the front of a list, for one piece of work. They are large, wanted once, and an answer
//    "there is no such event" would not stay true; `forgetPast` drops them when the work is settled.
// Generations turn only between batches, so that a decision that asks, gets and starts again always
// ends; the limit holds up to what one batch needs.

/// The cache of aggregates with the batch's changes on top.
package struct World: Sendable {
  private let bytesMax: Int
  private var young: [Need: Loaded] = [:]
  private var youngBytes = 0
  private var old: [Need: Loaded] = [:]
  private var oldBytes = 0

  private var read: [Need: Loaded] = [:]

  private var staged: [Need: Loaded] = [:]
  private var stagedChanges: [StreamID: [ObjectKey: ObjectChange.Effect]] = [:]
  /// The ops of the event of each stream that is being tried out.
  private var tried: [StreamID: [Op]] = [:]

  /// `bytesMax`: about how much the loaded part may hold between batches.
  package init(bytesMax: Int) { self.bytesMax = bytesMax }

  /// About how many bytes the loaded layer takes.
  package var bytes: Int { youngBytes + oldBytes }

  // MARK: What the store says

  /// Takes the store's answer to a need. Our bug if the answer is of another case than the need.
  package mutating func provide(_ need: Need, _ loaded: Loaded) {
    precondition(loaded.answers(need), "an answer to another question")
    switch need {
    case .past, .commandEvents, .queue, .imported: read[need] = loaded
    case .head, .object, .objects, .ranks, .username, .account, .sessions, .codeSpent, .trails:
      store(loaded.inOrder, for: need)
    }
  }

  /// The piece of work that asked for past events is settled.
  package mutating func forgetPast() {
    if !read.isEmpty { read = [:] }
  }

  /// The batch is committed.
  package mutating func commit() {
    for (need, loaded) in staged { store(loaded, for: need) }
    for (stream, changes) in stagedChanges { merge(changes, of: stream) }
    staged = [:]
    stagedChanges = [:]
    turn()
  }

  /// The batch is not committed; with `forget` it is not known, so nothing loaded is trusted any more.
  package mutating func rollback(forget: Bool) {
    staged = [:]
    stagedChanges = [:]
    guard forget else { return turn() }
    self = World(bytesMax: bytesMax)
  }

  /// Nothing is left of these streams; between batches. What is loaded of others stays.
  package mutating func forget(_ streams: Set<StreamID>) {
    for need in Array(young.keys) + Array(old.keys) {
      guard let stream = need.stream, streams.contains(stream) else { continue }
      if let gone = young.removeValue(forKey: need) { youngBytes -= gone.bytes }
      if let gone = old.removeValue(forKey: need) { oldBytes -= gone.bytes }
    }
  }

  /// Events of the stream are no longer kept; between batches.
  package mutating func note(horizon: Int64, of stream: StreamID) {
    let need = Need.head(stream)
    guard case .head(var head?) = young[need] ?? old[need] else { return }
    head.horizon = horizon
    store(.head(head), for: need)
  }

  // MARK: What the batch does

  /// Stages the answer that a need has from now on; not for objects, which `stage(_:in:)` takes.
  package mutating func stage(_ loaded: Loaded, for need: Need) {
    staged[need] = loaded
  }

  /// Stages where the posts of an event have been, behind what is staged of it already.
  package mutating func stage(_ trails: [PostTrail], of position: StreamPosition) {
    guard !trails.isEmpty else { return }
    let need = Need.trails(position)
    guard case .trails(let earlier)? = staged[need] else {
      staged[need] = .trails(trails)
      return
    }
    staged[need] = .trails(earlier + trails)
  }

  /// Stages what an event did to its stream's objects.
  package mutating func stage(_ changes: [ObjectChange], in stream: StreamID) {
    for change in changes {
      let earlier = stagedChanges[stream]?[change.key]
      stagedChanges[stream, default: [:]][change.key] = change.effect.after(earlier)
    }
  }

  /// The posts of a list that this batch changes, as they are after it; in any order.
  func stagedPosts(in category: CategoryID) -> [Post] {
    (stagedChanges[.category(category)] ?? [:]).values.compactMap { effect in
      if case .post(let post) = effect.object { post } else { nil }
    }
  }

  /// What this batch has added or changed that came from there, by number.
  func stagedPosts(of source: SourceKey, in category: CategoryID) -> [Post] {
    (stagedChanges[.category(category)] ?? [:]).values.compactMap { effect -> Post? in
      guard case .post(let post) = effect.object, post.source?.key == source else { return nil }
      return post
    }.sorted { ($0.number, $0.id) < ($1.number, $1.id) }
  }

  /// What the batch does to objects, each once as it is after it, by stream and key.
  package var stagedObjects: [(stream: StreamID, key: ObjectKey, effect: ObjectChange.Effect)] {
    stagedChanges.sorted { $0.key < $1.key }.flatMap { stream, changes in
      changes.sorted { $0.key < $1.key }.map { (stream, $0.key, $0.value) }
    }
  }

  // MARK: Trying out

  /// Runs the body in a world that it may change by `tryOut`, and takes that back.
  mutating func tryingOut<Value>(
    _ body: (inout World) throws(Halt) -> Value
  ) throws(Halt) -> Value {
    let (staged, stagedChanges) = (staged, stagedChanges)
    defer {
      self.staged = staged
      self.stagedChanges = stagedChanges
      tried = [:]
    }
    return try body(&self)
  }

  /// Whether an event of this stream is being tried out: its head is that event already, and what comes
  /// next joins it.
  func isTryingOut(_ stream: StreamID) -> Bool { tried[stream] != nil }

  /// What is tried out as this stream's event so far.
  func opsTried(in stream: StreamID) -> [Op] { tried[stream] ?? [] }

  /// As if the draft were written now; what is drafted for a stream one after the other is one event.
  mutating func tryOut(_ draft: Draft, by user: UserID, at now: Timestamp) throws(Halt) {
    let stream = draft.stream
    var state = try state(of: stream, for: draft.ops)
    let earlier = tried[stream] ?? []
    let event = Event(
      seq: try nextSeq(of: stream), transaction: World.noTransaction,
      at: try time(in: stream, at: now), by: user, key: nil, ops: earlier + draft.ops)
    let epoch = try head(of: stream)?.epoch ?? Epoch("")
    stage(state.apply(event, ops: earlier.count..<event.ops.count), in: stream)
    let head = StreamHead(
      epoch: epoch, seq: event.seq, at: event.at, transaction: event.transaction)
    stage(.head(head), for: .head(stream))
    stage(draft.trails, of: StreamPosition(stream: stream, seq: event.seq))
    tried[stream] = event.ops
  }

  /// Of events that are never written.
  private static let noTransaction = TransactionID(UUID(high: 0, low: 0))

  // MARK: Questions

  /// Everything that is missing among these at once, so that one trip to the store brings it.
  package mutating func require(_ needs: [Need]) throws(Halt) {
    let missing = unknown(among: needs)
    guard missing.isEmpty else { throw .needs(missing.withoutRepeats) }
  }

  /// Those of the needs whose answer is not loaded.
  package func unknown(among needs: [Need]) -> [Need] { needs.filter { !isKnown($0) } }

  /// The answer to a need, with the batch's changes in it; throws the need when it is not loaded.
  mutating func answer(_ need: Need) throws(Halt) -> Loaded {
    switch need {
    case .object(let stream, let key):
      if let effect = stagedChanges[stream]?[key], effect != .dropped {
        return .object(effect.object)
      }
    case .objects(let stream, let kind), .ranks(let stream, let kind):
      let loaded = try loaded(need)
      return stagedChanges[stream].map { loaded.with($0, of: kind) } ?? loaded
    case .head, .username, .account, .sessions, .codeSpent, .trails:
      if let loaded = staged[need] { return loaded }
    case .past, .commandEvents, .queue, .imported:
      guard let loaded = read[need] else { throw .needs([need]) }
      return loaded
    }
    return try loaded(need)
  }

  private func isKnown(_ need: Need) -> Bool {
    // In the order of how likely it is: each look is a hash. By index, so that no answer is copied.
    if young.index(forKey: need) != nil || old.index(forKey: need) != nil { return true }
    if staged.index(forKey: need) != nil { return true }
    if case .object(let stream, let key) = need, let effect = stagedChanges[stream]?[key] {
      return effect != .dropped
    }
    return read.index(forKey: need) != nil
  }

  /// From the loaded layer; what is used becomes young.
  private mutating func loaded(_ need: Need) throws(Halt) -> Loaded {
    if let loaded = young[need] { return loaded }
    guard let loaded = old.removeValue(forKey: need) else { throw .needs([need]) }
    oldBytes -= loaded.bytes
    young[need] = loaded
    youngBytes += loaded.bytes
    return loaded
  }

  // MARK: The loaded layer

  private mutating func store(_ loaded: Loaded, for need: Need) {
    if let replaced = old.removeValue(forKey: need) { oldBytes -= replaced.bytes }
    if let replaced = young.updateValue(loaded, forKey: need) { youngBytes -= replaced.bytes }
    youngBytes += loaded.bytes
  }

  /// Brings what is loaded of a stream up to date; what is not loaded stays so, but for the objects
  /// themselves, which the next command is likely to want.
  private mutating func merge(_ changes: [ObjectKey: ObjectChange.Effect], of stream: StreamID) {
    for (key, effect) in changes {
      switch effect {
      case .put(let object), .putOutside(let object):
        store(.object(object), for: .object(stream, key))
      case .deleted: store(.object(nil), for: .object(stream, key))
      case .dropped: break
      }
    }
    for kind in Set(changes.keys.lazy.map(\.kind)) {
      for need in [Need.objects(stream, kind), .ranks(stream, kind)] {
        guard let held = young[need] ?? old[need] else { continue }
        store(held.with(changes, of: kind), for: need)
      }
    }
  }

  private mutating func turn() {
    guard youngBytes > bytesMax / 2 else { return }
    old = young
    oldBytes = youngBytes
    young = [:]
    youngBytes = 0
  }
}

extension [Need] {
  /// The same without repeats, in the order of first mention.
  fileprivate var withoutRepeats: [Need] {
    var seen: Set<Need> = []
    return filter { seen.insert($0).inserted }
  }
}
