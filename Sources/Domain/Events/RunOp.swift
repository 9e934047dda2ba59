/// One change of the run of a post, in the past tense (protocol §7). None makes a version of the post. A run tells
/// about the post and does not change it, so it is in nobody's way.
package enum RunOp: Equatable, Sendable {
  case started(RunID, UserID, lease: Int64, phase: String?)
  case phase(RunID, String)
  case ended(RunEnd)
}

/// The end of a run, or a better word about a run that was held to be lost.
package struct RunEnd: Equatable, Sendable {
  package let run: RunID
  package let user: UserID
  package let outcome: RunOutcome
  package let startedAt: Timestamp
  package var text: String?
  /// The usual time of a run (`EndedRun.usual`). This run is counted in it.
  package var usual: Int64?
  /// Whether the run ended well after one that had not.
  package var recovers = false

  package init(
    run: RunID, user: UserID, outcome: RunOutcome, startedAt: Timestamp, text: String? = nil,
    usual: Int64? = nil, recovers: Bool = false
  ) {
    self.run = run
    self.user = user
    self.outcome = outcome
    self.startedAt = startedAt
    self.text = text
    self.usual = usual
    self.recovers = recovers
  }

  /// Returns the run as it ended by this op of the event.
  package func ended(by event: Event) -> EndedRun {
    EndedRun(
      id: run, user: user, outcome: outcome, startedAt: startedAt, endedAt: event.at,
      seq: event.seq, text: text?.unlessErased, usual: usual)
  }
}

extension Post {
  mutating func apply(_ op: RunOp, of event: Event) {
    switch op {
    case .started(let id, let user, let lease, let phase):
      run = PostRun(
        id: id, user: user, startedAt: event.at, seq: event.seq, lease: lease,
        phase: phase?.unlessErased)
    case .phase(let id, let phase):
      if run?.id == id { run?.phase = phase.unlessErased }
    case .ended(let end):
      if run?.id == end.run { run = nil }
      lastRun = end.ended(by: event)
    }
    if op.hasText { erased = nil }
  }

  /// Takes the words of runs out.
  mutating func eraseRuns() {
    run?.phase = nil
    lastRun?.text = nil
  }
}

extension String {
  /// Nil for a word that was erased.
  fileprivate var unlessErased: String? { isEmpty ? nil : self }
}

extension RunOp {
  /// Whether there is a word in it, also when that is erased by now.
  fileprivate var hasText: Bool {
    switch self {
    case .started(_, _, _, let phase): phase != nil
    case .phase: true
    case .ended(let end): end.text != nil
    }
  }

  /// The op with empty words. It still says that there were some: these took the mark of an earlier erasing away.
  var withoutText: RunOp {
    switch self {
    case .started(let id, let user, let lease, let phase):
      return .started(id, user, lease: lease, phase: phase.map { _ in "" })
    case .phase(let id, _): return .phase(id, "")
    case .ended(var end):
      end.text = end.text.map { _ in "" }
      return .ended(end)
    }
  }

  /// The kind of the notification. Only an end is news.
  func meaning(of post: PostID) -> Meaning? {
    guard case .ended(let end) = self else { return nil }
    let kind: Notification.Kind =
      switch end.outcome {
      case .ok: end.recovers ? .runRecovered : .runOk
      case .failed: .runFailed
      case .cancelled: .runCancelled
      case .lost: .runLost
      }
    return Meaning(kind: kind, post: post, user: end.user)
  }
}
