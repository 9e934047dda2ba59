/// Collects the ops of one command, so that each touched stream gets exactly one event.
struct Drafting {
  private var ops: [StreamID: [Op]] = [:]
  private var trails: [StreamID: [PostTrail]] = [:]

  func ops(of stream: StreamID) -> [Op] { ops[stream] ?? [] }

  mutating func add(_ op: Op, to stream: StreamID) {
    ops[stream, default: []].append(op)
  }

  /// Adds an op unless it is there already: two rules may ask for it, and it is done once.
  mutating func addOnce(_ op: Op, to stream: StreamID) {
    if ops[stream]?.contains(op) != true { add(op, to: stream) }
  }

  mutating func add(_ draft: Draft) {
    ops[draft.stream, default: []] += draft.ops
    if !draft.trails.isEmpty { trails[draft.stream, default: []] += draft.trails }
  }

  /// Returns the roles of the members of a place about whose grants something is drafted. Those who go have nil.
  func roles(in place: StreamID) -> [UserID: Role?] {
    var roles: [UserID: Role?] = [:]
    for op in ops(of: place) {
      switch op {
      case .member(.granted(let user, let grants)): roles[user] = .some(grants.role)
      case .member(.removed(let user, _, _)): roles[user] = .some(nil)
      default: continue
      }
    }
    return roles
  }

  /// Returns the drafts in the order of streams. Refused when the command touches too many streams for one transaction.
  func drafts() throws(Halt) -> [Draft] {
    guard ops.count <= Limits.streamsPerCommandMax else {
      throw .refused(.quota(limit: "streams", max: Limits.streamsPerCommandMax))
    }
    return ops.sorted { $0.key < $1.key }.map {
      Draft(stream: $0.key, ops: $0.value, trails: trails[$0.key] ?? [])
    }
  }
}
