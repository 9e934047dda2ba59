// The deciding side's knowledge has these layers:
// - loaded: the store's answers about what is committed, in two generations (`GenerationalCache`), which turn when the
//   young ones fill half of the limit. Heads and objects are kept by themselves. Every command asks for them several
//   times, and a key as large as every `Need` may be took longer to hash and to copy than the rest.
// - staged: the changes of this batch on top. Every question is answered through it. `commit` merges it into the loaded
//   layer and `rollback` drops it; before that nobody else sees it.
// - read: past events and the front of a list, for one piece of work. They are large and wanted once, and an answer
//   "there is no such event" would not stay true. `forgetPast` drops them when the work is settled.
// Generations turn only between batches. So a decision that asks, gets an answer and starts again always ends. During a
// batch the loaded layer may exceed the limit by what the batch needs.

/// The cache of objects and other answers, with the batch's changes on top.
package struct World: Sendable {
  private let bytesMax: Int
  /// Whether people may talk on this server.
  let hasTalk: Bool
  private var heads = GenerationalCache<StreamID>()
  private var objects = GenerationalCache<ObjectPlace>()
  private var others = GenerationalCache<Need>()

  private var read: [Need: Loaded] = [:]

  private var stagedHeads: [StreamID: Loaded] = [:]
  private var staged: [Need: Loaded] = [:]
  private var stagedChanges: [StreamID: [ObjectKey: ObjectChange.Effect]] = [:]
  /// The ops of the event that is being tried out for each stream.
  private var tried: [StreamID: [Op]] = [:]

  /// Makes an empty world. `bytesMax` is roughly the number of bytes that the loaded layer may hold between batches.
  package init(bytesMax: Int, hasTalk: Bool = true) {
    self.bytesMax = bytesMax
    self.hasTalk = hasTalk
  }

  /// The bytes that the loaded layer takes, roughly.
  package var bytes: Int { heads.bytes + objects.bytes + others.bytes }

  // MARK: Answers of the store

  /// Takes the store's answer to a need. An answer of another case than the need is our bug.
  package mutating func provide(_ need: Need, _ loaded: Loaded) {
    precondition(loaded.answers(need), "an answer to another question")
    switch need {
    case .past, .commandEvents, .queue, .imported: read[need] = loaded
    case .head, .object, .objects, .ranks, .username, .account, .sessions, .bots, .webhooks,
      .codeSpent, .trails:
      store(loaded.inOrder, for: need)
    }
  }

  /// Drops past events: the piece of work that asked for them is settled.
  package mutating func forgetPast() {
    if !read.isEmpty { read = [:] }
  }

  /// Merges the staged layer into the loaded one: the batch is committed.
  package mutating func commit() {
    for (stream, head) in stagedHeads { heads.keep(head, for: stream) }
    for (need, loaded) in staged { store(loaded, for: need) }
    for (stream, changes) in stagedChanges { merge(changes, of: stream) }
    endBatch()
  }

  /// Drops the staged layer: the batch is not committed. `forget` says that this is not certain, so nothing loaded is
  /// trusted any more.
  package mutating func rollback(forget: Bool) {
    if forget { self = World(bytesMax: bytesMax, hasTalk: hasTalk) }
    endBatch()
  }

  private mutating func endBatch() {
    stagedHeads = [:]
    staged = [:]
    stagedChanges = [:]
    turn()
  }

  /// Drops these streams, of which nothing is left, between batches. Answers about other streams stay.
  package mutating func forget(_ streams: Set<StreamID>) {
    heads.forget { streams.contains($0) }
    objects.forget { streams.contains($0.stream) }
    others.forget { $0.stream.map(streams.contains) ?? false }
  }

  /// Notes that events of the stream up to this one are no longer kept. Called between batches.
  package mutating func note(horizon: Int64, of stream: StreamID) {
    guard case .head(var head?) = heads[stream] else { return }
    head.horizon = horizon
    heads.keep(.head(head), for: stream)
  }

  // MARK: Changes of the batch

  /// Stages the answer that a need has from now on. Objects are staged by `stage(_:in:)`.
  package mutating func stage(_ loaded: Loaded, for need: Need) {
    if case .head(let stream) = need { stagedHeads[stream] = loaded } else { staged[need] = loaded }
  }

  /// Stages the lists in which the posts of an event have been, behind those that are staged already.
  package mutating func stage(_ trails: [PostTrail], of position: StreamPosition) {
    guard !trails.isEmpty else { return }
    let need = Need.trails(position)
    guard case .trails(let earlier)? = staged[need] else {
      staged[need] = .trails(trails)
      return
    }
    staged[need] = .trails(earlier + trails)
  }

  /// Stages the changes that an event made to its stream's objects.
  package mutating func stage(_ changes: [ObjectChange], in stream: StreamID) {
    for change in changes {
      let earlier = stagedChanges[stream]?[change.key]
      stagedChanges[stream, default: [:]][change.key] = change.effect.after(earlier)
    }
  }

  /// Returns the posts of a list that this batch changes, as they are after it, in any order.
  func stagedPosts(in category: CategoryID) -> [Post] {
    (stagedChanges[.category(category)] ?? [:]).values.compactMap { effect in
      if case .post(let post) = effect.object { post } else { nil }
    }
  }

  /// Returns the posts of this source that the batch has added or changed, by number.
  func stagedPosts(of source: SourceKey, in category: CategoryID) -> [Post] {
    (stagedChanges[.category(category)] ?? [:]).values.compactMap { effect -> Post? in
      guard case .post(let post) = effect.object, post.source?.key == source else { return nil }
      return post
    }.sorted { ($0.number, $0.id) < ($1.number, $1.id) }
  }

  /// The objects that the batch changes, each once as it is after it, by stream and key.
  package var stagedObjects: [(stream: StreamID, key: ObjectKey, effect: ObjectChange.Effect)] {
    stagedChanges.sorted { $0.key < $1.key }.flatMap { stream, changes in
      changes.sorted { $0.key < $1.key }.map { (stream, $0.key, $0.value) }
    }
  }

  // MARK: Trying out

  /// Runs the body in a world that it may change by `tryOut`, and takes these changes back.
  mutating func tryingOut<Value>(
    _ body: (inout World) throws(Halt) -> Value
  ) throws(Halt) -> Value {
    let (stagedHeads, staged, stagedChanges) = (stagedHeads, staged, stagedChanges)
    defer {
      self.stagedHeads = stagedHeads
      self.staged = staged
      self.stagedChanges = stagedChanges
      tried = [:]
    }
    return try body(&self)
  }

  /// Answers whether an event of this stream is being tried out. Its head is that event already, and the next draft
  /// joins it.
  func isTryingOut(_ stream: StreamID) -> Bool { tried[stream] != nil }

  /// Returns the ops that are tried out as this stream's event so far.
  func opsTried(in stream: StreamID) -> [Op] { tried[stream] ?? [] }

  /// Acts as if the draft were written now. Drafts for one stream, one after the other, make one event.
  mutating func tryOut(_ draft: Draft, by user: UserID, at now: Timestamp) throws(Halt) {
    let stream = draft.stream
    var state = try state(of: stream, for: draft.ops)
    let earlier = tried[stream] ?? []
    let event = Event(
      seq: try nextSeq(of: stream), transaction: World.noTransaction,
      at: try time(in: stream, at: now), by: user, key: nil, ops: earlier + draft.ops)
    let known = try head(of: stream)
    stage(state.apply(event, ops: earlier.count..<event.ops.count), in: stream)
    let head = StreamHead(
      epoch: known?.epoch ?? Epoch(""), seq: event.seq, at: event.at,
      transaction: event.transaction, erasedSeq: known?.erasedSeq ?? 0,
      horizon: known?.horizon ?? 0)
    stage(.head(head), for: .head(stream))
    stage(draft.trails, of: StreamPosition(stream: stream, seq: event.seq))
    tried[stream] = event.ops
  }

  /// The transaction of events that are never written.
  private static let noTransaction = TransactionID(UUID(high: 0, low: 0))

  // MARK: Questions

  /// Throws everything that is missing among these at once, so that one trip to the store brings it.
  package mutating func require(_ needs: [Need]) throws(Halt) {
    let missing = unknown(among: needs)
    guard missing.isEmpty else { throw .needs(missing.withoutRepeats) }
  }

  /// Returns those of the needs whose answer is not loaded.
  package func unknown(among needs: [Need]) -> [Need] { needs.filter { !isKnown($0) } }

  /// Returns the answer to a need with the batch's changes in it. Throws the need when it is not loaded.
  mutating func answer(_ need: Need) throws(Halt) -> Loaded {
    switch need {
    case .head(let stream): return try answer(headOf: stream)
    case .object(let stream, let key): return try answer(key, in: stream)
    case .objects(let stream, let kind), .ranks(let stream, let kind):
      guard let loaded = others.use(need) else { throw .needs([need]) }
      return stagedChanges[stream].map { loaded.with($0, of: kind) } ?? loaded
    case .username, .account, .sessions, .bots, .webhooks, .codeSpent, .trails:
      guard let loaded = staged[need] ?? others.use(need) else { throw .needs([need]) }
      return loaded
    case .past, .commandEvents, .queue, .imported:
      guard let loaded = read[need] else { throw .needs([need]) }
      return loaded
    }
  }

  mutating func answer(headOf stream: StreamID) throws(Halt) -> Loaded {
    guard let loaded = stagedHeads[stream] ?? heads.use(stream) else {
      throw .needs([.head(stream)])
    }
    return loaded
  }

  mutating func answer(_ key: ObjectKey, in stream: StreamID) throws(Halt) -> Loaded {
    if let effect = stagedChanges[stream]?[key], effect != .dropped {
      return .object(effect.object)
    }
    guard let loaded = objects.use(ObjectPlace(stream, key)) else {
      throw .needs([.object(stream, key)])
    }
    return loaded
  }

  /// Answers whether a need is loaded. It looks first where the answer most likely is: each look is a hash.
  private func isKnown(_ need: Need) -> Bool {
    switch need {
    case .head(let stream): heads.holds(stream) || stagedHeads.index(forKey: stream) != nil
    case .object(let stream, let key):
      if objects.holds(ObjectPlace(stream, key)) {
        true
      } else if let effect = stagedChanges[stream]?[key] {
        effect != .dropped
      } else {
        false
      }
    case .objects, .ranks, .username, .account, .sessions, .bots, .webhooks, .codeSpent, .trails:
      others.holds(need) || staged.index(forKey: need) != nil
    case .past, .commandEvents, .queue, .imported: read.index(forKey: need) != nil
    }
  }

  // MARK: The loaded layer

  private mutating func store(_ loaded: Loaded, for need: Need) {
    switch need {
    case .head(let stream): heads.keep(loaded, for: stream)
    case .object(let stream, let key): objects.keep(loaded, for: ObjectPlace(stream, key))
    case .objects, .ranks, .username, .account, .sessions, .bots, .webhooks, .codeSpent, .trails,
      .past, .commandEvents, .queue, .imported:
      others.keep(loaded, for: need)
    }
  }

  /// Brings the loaded answers about a stream up to date. Answers that are not loaded stay so, except the changed
  /// objects themselves, which the next command is likely to want.
  private mutating func merge(_ changes: [ObjectKey: ObjectChange.Effect], of stream: StreamID) {
    var kinds: [ObjectKind] = []
    for (key, effect) in changes {
      if !kinds.contains(key.kind) { kinds.append(key.kind) }
      switch effect {
      case .put(let object), .putOutside(let object):
        objects.keep(.object(object), for: ObjectPlace(stream, key))
      case .deleted: objects.keep(.object(nil), for: ObjectPlace(stream, key))
      case .dropped: break
      }
    }
    for kind in kinds {
      for need in [Need.objects(stream, kind), .ranks(stream, kind)] {
        guard let held = others[need] else { continue }
        others.keep(held.with(changes, of: kind), for: need)
      }
    }
  }

  private mutating func turn() {
    let young = heads.youngBytes + objects.youngBytes + others.youngBytes
    guard young > bytesMax / 2 else { return }
    heads.turn()
    objects.turn()
    others.turn()
  }
}

/// The place of an object.
private struct ObjectPlace: Hashable, Sendable {
  let stream: StreamID
  let key: ObjectKey

  init(_ stream: StreamID, _ key: ObjectKey) {
    self.stream = stream
    self.key = key
  }
}

extension [Need] {
  /// Returns each need once, in the order of first mention.
  fileprivate var withoutRepeats: [Need] {
    var seen: Set<Need> = []
    return filter { seen.insert($0).inserted }
  }
}
