package import Domain

/// A change of the rows of achievement of one list (Domain/Stats/AchievementRow.swift).
package struct AchievementWrite: Equatable, Sendable {
  package let category: CategoryID
  package let change: AchievementChange

  package init(category: CategoryID, change: AchievementChange) {
    self.category = category
    self.change = change
  }

  /// Returns what an event of a stream changes, in the order of its ops. `changes` are those of the event.
  static func all(
    of event: Event, _ changes: [ObjectChange], in stream: StreamID
  ) -> [AchievementWrite] {
    guard case .category(let category) = stream else { return [] }
    var writes: [AchievementWrite] = []
    var rest = changes[...]
    for case .post(let op) in event.ops {
      let key = ObjectKey(kind: .post, id: op.post.uuid)
      guard let index = rest.firstIndex(where: { $0.key == key && $0.effect != .dropped }) else {
        continue
      }
      let change = rest[index]
      rest = rest[(index + 1)...]
      writes += event.achievements(
        of: op, old: change.before?.post, new: change.effect.object?.post
      ).map { AchievementWrite(category: category, change: $0) }
    }
    return writes
  }
}

extension Object {
  fileprivate var post: Post? {
    guard case .post(let it) = self else { return nil }
    return it
  }
}
