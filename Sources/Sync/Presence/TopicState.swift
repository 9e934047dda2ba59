internal import Domain
internal import Wire

/// All values of one topic, and the moment of the next push.
struct TopicState: Sendable {
  private struct Value {
    let progress: Progress?
    let at: Int64
  }

  private var values: [EphemeralSubject: [EphemeralOrigin: Value]] = [:]
  private var isNews = false
  /// The moment from which the topic may be pushed again.
  private(set) var mayTellAt = Int64.min

  var isEmpty: Bool { values.isEmpty }

  /// Takes a note; answers whether the told values change.
  mutating func take(_ note: EphemeralNote) -> Bool {
    let before = values[note.subject].map(TopicState.newest)
    switch note.value {
    case .set(let progress, let at):
      values[note.subject, default: [:]][note.origin] = Value(progress: progress, at: at)
    case .ended:
      values[note.subject]?[note.origin] = nil
      if values[note.subject]?.isEmpty == true { values[note.subject] = nil }
    }
    let after = values[note.subject].map(TopicState.newest)
    guard before != after else { return false }
    isNews = true
    return true
  }

  /// Notes that the topic is told now; answers false when there is nothing new.
  mutating func told(at now: Int64) -> Bool {
    guard isNews else { return false }
    isNews = false
    mayTellAt = EphemeralTimes.nextPush(after: now)
    return true
  }

  /// Returns the fitting subjects, in order.
  func subjects(where fits: (EphemeralSubject) -> Bool) -> [EphemeralSubject] {
    values.keys.filter(fits).sorted()
  }

  /// Returns the connections that say something of the subject, in order.
  func origins(of subject: EphemeralSubject) -> [EphemeralOrigin] {
    values[subject]?.keys.sorted() ?? []
  }

  func set(of topic: EphemeralTopic) -> EphemeralSet {
    let isListed = values.count <= Limits.ephemeralsListedMax || topic.kind == .progress
    return EphemeralSet(
      stream: topic.stream, kind: topic.kind, count: values.count,
      entries: isListed ? entries : nil)
  }

  private var entries: [EphemeralEntry] {
    values.keys.sorted().prefix(Limits.ephemeralsListedMax).map { subject in
      EphemeralEntry(
        user: subject.user, post: subject.post,
        progress: values[subject].flatMap(TopicState.newest))
    }
  }

  private static func newest(_ said: [EphemeralOrigin: Value]) -> Progress? {
    said.max { ($0.value.at, $0.key) < ($1.value.at, $1.key) }?.value.progress
  }
}
