import Client
import Domain
import Screen
import Sync
import Text
import Wire

// Shows the runs of posts: when one ends, behind the title, and for scripts.

extension EventLines {
  /// Returns the line of a run. Beginnings and phases have lines in a history only: what goes on stands in the list.
  func runLine(
    _ id: PostID, _ op: RunOp, _ applied: AppliedEvent, _ who: Who, in stream: StreamID
  ) -> Line? {
    let what: Phrase = "\(title(of: id, applied)) (\(place(of: id, in: stream)))"
    switch op {
    case .started: return isHistory ? who.line("▶", .accent, "started a run: " + what) : nil
    case .phase(_, let phase):
      return isHistory && !phase.isEmpty ? who.line("▶", .accent, "\(phase): " + what) : nil
    case .ended(let end):
      let words = end.words(endedAt: applied.event.at) + ": " + what
      guard end.outcome != .lost else {
        let name = situation.name(of: end.user, in: stream)
        return Line("✘ ", .bad, hang: 2).and("the run of \(name) is " + words)
      }
      let line = who.line(end.outcome.sign, end.outcome.style, words)
      guard let text = end.text, !text.isEmpty else { return line }
      return line.and(": \(end.outcome.rest(of: text))", .dim)
    }
  }

  /// Returns the line of a fold of runs: `@bot ✘ runs: 1 failed, 5 ok: ` and `what`, the titles. `outcome` is that of
  /// its first run.
  func runsLine(_ fold: NotificationFold, _ outcome: RunOutcome, _ what: Phrase) -> Line {
    let all = fold.notifications
    let line = Line(
      "\(situation.name(of: all[0].user, in: all[0].stream)) ", .strong, hang: 2)
    guard all.count > 1 else {
      return line.and(outcome.sign + " ", outcome.style)
        .and("\(all[0].kind.words(of: outcome)): " + what)
    }
    let kinds: [Notification.Kind] = [
      .runFailed, .runLost, .runRecovered, .runOk, .runCancelled,
    ]
    let told = kinds.compactMap { kind -> (count: String, outcome: RunOutcome)? in
      let count = all.count { $0.kind == kind }
      guard count > 0, let outcome = kind.runOutcome else { return nil }
      return ("\(count) \(kind.words(of: outcome))", outcome)
    }
    let worst = told.first?.outcome ?? outcome
    return line.and(worst.sign + " ", worst.style)
      .and("runs: \(told.map(\.count).joined(separator: ", ")): " + what)
  }
}

extension RunEnd {
  /// Returns `ok after 4 min`, or what else there is to say of the end.
  fileprivate func words(endedAt end: Timestamp) -> Phrase {
    let took = RunTime.words(end.milliseconds - startedAt.milliseconds)
    switch outcome {
    case .ok: return recovers ? "ok again, after \(took)" : "ok after \(took)"
    case .failed, .cancelled: return "\(outcome.rawValue) after \(took)"
    case .lost: return "lost"
    }
  }
}

extension RunOutcome {
  var sign: Phrase { self == .ok ? "✔" : "✘" }

  var style: Style {
    switch self {
    case .ok: .good
    case .failed, .lost: .bad
    case .cancelled: .dim
    }
  }

  /// Returns `failed: exit status 2`, with the words of the program if there are any.
  func words(with text: String?) -> String {
    // The words about a failure often begin with that word.
    text.map { $0.hasPrefix(rawValue) ? $0 : "\(rawValue): \($0)" } ?? rawValue
  }

  /// Returns the words of the program without the outcome, if they begin with that.
  func rest(of text: String) -> String {
    text.hasPrefix(rawValue + " ") ? String(text.dropFirst(rawValue.count + 1)) : text
  }
}

extension Notification.Kind {
  /// The words for how a run ended, as `failed` or `ok again`.
  fileprivate func words(of outcome: RunOutcome) -> String {
    self == .runRecovered ? "ok again" : outcome.rawValue
  }
}

extension Situation {
  /// Answers whether the post of a notification is one's own work, or watched, or of a comment that one added it.
  func concerns(_ notification: Notification) -> Bool {
    guard let me, let id = notification.post, case .category(let list) = notification.stream,
      let state = streams[notification.stream], let post = state.post(id),
      let member = state.member(me)
    else { return false }
    return notification.concerns(member, by: post, personal(id, in: list))
  }

  /// Returns the run of a post that goes on, and who started it; nil when there is none.
  fileprivate func liveRun(of post: Post, in stream: StreamID) -> (run: PostRun, member: Member)? {
    guard let run = post.run, let member = streams[stream]?.member(run.user), member.holds(run)
    else { return nil }
    return (run, member)
  }

  fileprivate func progress(of run: PostRun, at post: PostID, in stream: StreamID) -> Progress? {
    let topic = EphemeralTopic(stream: stream, kind: .progress)
    return ephemerals[topic]?.entries?.first { $0.post == post && $0.user == run.user }?.progress
  }

  /// Returns `  ▶ ▓▓▓░ 64 % linking, 3 min of about 5 min`, or how the last run ended; empty when there was none.
  func runMark(of post: Post, in stream: StreamID) -> Line {
    guard let (run, _) = liveRun(of: post, in: stream) else { return lastRunMark(of: post) }
    var parts: [String] = []
    let progress = progress(of: run, at: post.id, in: stream)
    if let progress {
      parts.append(RunTime.bar(progress))
      parts.append("\(progress.done * 100 / progress.of) %")
    }
    if let phase = run.phase ?? progress?.text { parts.append(phase) }
    let doing = parts.isEmpty ? "running" : parts.joined(separator: " ")
    let took = RunTime.words(clock.now.milliseconds - run.startedAt.milliseconds)
    // "Of about 0 s" would say nothing.
    let usual = post.lastRun?.usual.flatMap { $0 < 1_000 ? nil : " of about \(RunTime.words($0))" }
    return Line("  ▶ ", .accent).and("\(doing)", .accent).and(", \(took)\(usual ?? "")", .dim)
  }

  private func lastRunMark(of post: Post) -> Line {
    guard let last = post.lastRun, post.completed == nil else { return Line() }
    return Line("  ").and(last.outcome.sign + " ", last.outcome.style)
      .and("\(last.outcome.words(with: last.text)), \(clock.moment(last.endedAt))", .dim)
  }
}

extension JSONWriter {
  /// Writes `run` and `lastRun`.
  mutating func runs(of post: Post, in stream: StreamID, _ situation: Situation) {
    if let (run, member) = situation.liveRun(of: post, in: stream) {
      object("run") { writer in
        writer.person("by", member.id, member.username)
        writer.member("startedAt", run.startedAt.milliseconds)
        if let phase = run.phase { writer.member("phase", phase) }
        if let progress = situation.progress(of: run, at: post.id, in: stream) {
          writer.member("percent", progress.done * 100 / progress.of)
        }
      }
    }
    guard let last = post.lastRun else { return }
    object("lastRun") { writer in
      if let by = situation.streams[stream]?.member(last.user) {
        writer.person("by", by.id, by.username)
      }
      writer.member("outcome", last.outcome.rawValue)
      writer.member("startedAt", last.startedAt.milliseconds)
      writer.member("endedAt", last.endedAt.milliseconds)
      if let text = last.text { writer.member("text", text) }
      if let usual = last.usual { writer.member("usualMs", usual) }
    }
  }
}

/// Words and bars for the time and the progress of a run.
enum RunTime {
  private static let bars = 4

  /// Returns `▓▓▓░` for 64 %.
  static func bar(_ progress: Progress) -> String {
    let full = (progress.done * bars + progress.of / 2) / progress.of
    return String(repeating: "▓", count: full) + String(repeating: "░", count: bars - full)
  }

  /// Returns `40 s`, `3 min`, `2 h 5 min` or `3 days`.
  static func words(_ milliseconds: Int64) -> String {
    let seconds = max(0, milliseconds) / 1_000
    switch seconds {
    case ..<60: return "\(seconds) s"
    case ..<3_600: return "\(seconds / 60) min"
    case ..<172_800:
      let minutes = seconds / 60 % 60
      return minutes == 0 ? "\(seconds / 3_600) h" : "\(seconds / 3_600) h \(minutes) min"
    default: return "\(seconds / 86_400) days"
    }
  }
}
