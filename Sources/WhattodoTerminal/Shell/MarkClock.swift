import Domain

/// The times at which the server is told how far a person has read: at most every five seconds (protocol §8
/// `notification.read`).
struct MarkClock {
  static let everyMilliseconds: Int64 = 5_000

  private var dueAt: Int64?
  private var lastAt: Int64?
  private var now: () -> Int64

  init(now: @escaping () -> Int64 = { Uptime.milliseconds() }) { self.now = now }

  /// Takes note that something was read.
  mutating func read() {
    guard dueAt == nil else { return }
    dueAt = max(now(), (lastAt ?? .min / 2) + MarkClock.everyMilliseconds)
  }

  /// The milliseconds until it is time; nil when nothing is to be told.
  var wait: Int? { dueAt.map { Int(max(0, $0 - now())) } }

  /// Answers whether it is time; if so, it counts as told.
  mutating func take() -> Bool {
    guard let dueAt, dueAt <= now() else { return false }
    self.dueAt = nil
    lastAt = now()
    return true
  }
}
