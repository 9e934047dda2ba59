// A cache with two generations instead of a list of who was used when. Answers that were used since the last turn are
// young. At a turn the young ones become the old ones, and the old ones are dropped. So at least what was used last
// stays, for the price of one comparison per batch.

/// The store's answers to one kind of question, as far as they are kept.
struct GenerationalCache<Key: Hashable & Sendable>: Sendable {
  private var young: [Key: Loaded] = [:]
  private var old: [Key: Loaded] = [:]
  /// The bytes that the young answers take, roughly.
  private(set) var youngBytes = 0
  private var oldBytes = 0

  var bytes: Int { youngBytes + oldBytes }

  /// Answers whether an answer is kept. It looks by index, so that no answer is copied.
  func holds(_ key: Key) -> Bool {
    young.index(forKey: key) != nil || old.index(forKey: key) != nil
  }

  /// The answer to this question. Unlike `use`, it does not make the answer young.
  subscript(_ key: Key) -> Loaded? { young[key] ?? old[key] }

  /// Returns the answer and makes it young.
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

  /// Drops the old answers; the young ones become old.
  mutating func turn() {
    (old, oldBytes) = (young, youngBytes)
    (young, youngBytes) = ([:], 0)
  }
}
