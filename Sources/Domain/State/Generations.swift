// Two generations instead of a list of who was used when: what was used since the last turn is young; at a turn the
// young ones become the old ones, and the old ones go. So at least what was used last stays, for one comparison per
// batch.

/// What is kept of the store's answers to one kind of question.
struct Generations<Key: Hashable & Sendable>: Sendable {
  private var young: [Key: Loaded] = [:]
  private var old: [Key: Loaded] = [:]
  /// About how much the young ones take, and all.
  private(set) var youngBytes = 0
  private var oldBytes = 0

  var bytes: Int { youngBytes + oldBytes }

  /// By index, so that no answer is copied.
  func holds(_ key: Key) -> Bool {
    young.index(forKey: key) != nil || old.index(forKey: key) != nil
  }

  /// Without becoming young by that.
  subscript(_ key: Key) -> Loaded? { young[key] ?? old[key] }

  /// The answer, which becomes young.
  mutating func use(_ key: Key) -> Loaded? {
    if let loaded = young[key] { return loaded }
    guard let loaded = old.removeValue(forKey: key) else { return nil }
    oldBytes -= loaded.bytes
    young[key] = loaded
    youngBytes += loaded.bytes
    return loaded
  }

  mutating func keep(_ loaded: Loaded, for key: Key) {
    if !old.isEmpty, let replaced = old.removeValue(forKey: key) { oldBytes -= replaced.bytes }
    if let replaced = young.updateValue(loaded, forKey: key) { youngBytes -= replaced.bytes }
    youngBytes += loaded.bytes
  }

  mutating func forget(where isGone: (Key) -> Bool) {
    for key in Array(young.keys) + Array(old.keys) where isGone(key) {
      if let gone = young.removeValue(forKey: key) { youngBytes -= gone.bytes }
      if let gone = old.removeValue(forKey: key) { oldBytes -= gone.bytes }
    }
  }

  /// The old ones go, and the young ones are old.
  mutating func turn() {
    (old, oldBytes) = (young, youngBytes)
    (young, youngBytes) = ([:], 0)
  }
}
