// Checks of the rules for imports, from the log alone: nothing is added twice, nothing comes back that somebody has
// removed, and what people have set stays until the import says the same.

import Domain

/// The posts of one list that came from elsewhere, and what people have set of them since.
struct ImportsSeen {
  private var posts: [SourceKey: Set<PostID>] = [:]
  private var edited: [PostID: Set<Source.Field>] = [:]

  /// Takes an event that was appended; returns a sentence when it does what no import may do. `before` is the state
  /// before it.
  mutating func add(_ event: Event, to before: StreamState, _ tally: inout Tally) -> String? {
    let isAbout = event.ops.contains(where: \.tellsOfImports)
    guard isAbout else { return nil }
    var state = before
    for (index, op) in event.ops.enumerated() {
      if let breach = add(op, of: event, to: state, &tally) {
        return "P10 \(before.stream) \(event.seq): \(breach)"
      }
      _ = state.apply(event, ops: index..<index + 1)
    }
    return nil
  }

  private mutating func add(
    _ op: Op, of event: Event, to state: StreamState, _ tally: inout Tally
  ) -> String? {
    switch op {
    case .post(.added(let post, _)):
      guard let key = post.source?.key else { return nil }
      tally.count(.p2Imported)
      guard posts[key, default: []].isEmpty else { return "\(key.id) is added twice" }
      posts[key] = [post.id]
    case .post(.movedIn(let post, _)):
      if let key = post.source?.key { posts[key, default: []].insert(post.id) }
      edited[post.id] = Set(post.source?.edited ?? [])
    case .post(.movedOut(let id, _, _, _)), .post(.erased(let id, _, _)):
      for key in posts.keys { posts[key]?.remove(id) }
      edited[id] = nil
    case .post(.edited(let id, _, let edit)):
      edited[id, default: []].formUnion(Source.Field.allCases.filter { edit.sets($0) })
    case .post(.imported(let id, _, let edit, let source)):
      tally.count(.p10Imported)
      guard case .post(let post) = state.object(.post, id.uuid), post.source != nil else {
        return "\(id) is imported, which is not there or came from nowhere"
      }
      guard let source, source.key == post.source?.key else { return "\(id) came from elsewhere" }
      if post.repeats != nil, edit.due != .keep { return "\(id): comes again, and its due is set" }
      let theirs = edited[id, default: []].intersection(source.edited)
      if !theirs.isEmpty { tally.count(.p10Left) }
      if let field = edited[id, default: []].first(where: { edit.sets($0) }) {
        return "\(id): \(field) is set, which somebody has set since"
      }
      edited[id] = theirs
    default: break
    }
    return nil
  }
}

extension Op {
  fileprivate var tellsOfImports: Bool {
    switch self {
    case .post(.added), .post(.movedIn), .post(.movedOut), .post(.erased), .post(.edited),
      .post(.imported):
      true
    default: false
    }
  }
}

extension StreamTruth {
  /// Checks the newest event, which was appended.
  mutating func takeImports(of event: Event, _ tally: inout Tally) -> String? {
    imports.add(event, to: states[events.count - 1], &tally)
  }
}
