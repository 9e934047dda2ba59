// A deadline of what is one's own is told by two streams at about the same moment: by the list that a post is
// overdue, by the person's own that they are reminded of it. A person reads one line, the reminder's, which also
// rings. Which of the two comes first nobody can say, so the list's line waits for the reminder, a moment only:
// mostly none comes, because the post is somebody else's (protocol §5.10). Of what the person has muted or snoozed
// neither tells.

import Client
import Domain
import Screen

/// The lines of deadlines that wait, and the reminders that came before theirs. Owned by the chat.
struct OverdueNews {
  /// Of one post; a later one of the same post is another.
  struct Deadline: Hashable {
    let post: PostAddress
    let at: Timestamp
  }

  private struct Waiting {
    let deadline: Deadline
    let line: Line
    /// On the clock of `now`.
    let until: Int64
  }

  /// The two leave the server together; half of it would do on a slow line.
  static let patienceMilliseconds: Int64 = 1_000
  /// More come at once only after a long absence, which is told in sums.
  static let rememberedMax = 200

  private var waiting: [Waiting] = []
  /// The newest last.
  private var reminded: [Deadline] = []

  /// What is told of an event at once. `now`: milliseconds on a clock that only goes forward.
  mutating func lines(
    of happening: Happening, in stream: StreamID, _ lines: EventLines, now: Int64
  ) -> [Line] {
    hear(happening)
    for (deadline, line) in lines.overdue(happening, in: stream) {
      if let place = reminded.firstIndex(of: deadline) {
        reminded.remove(at: place)
      } else {
        let until = now + OverdueNews.patienceMilliseconds
        waiting.append(Waiting(deadline: deadline, line: line, until: until))
      }
    }
    return lines.timed(happening, in: stream, withOverdue: false)
  }

  /// The reminders of an event, however it is told.
  mutating func hear(_ happening: Happening) {
    for case .personal(.fired(let it)) in happening.event.ops where it.kind == .overdue {
      let deadline = Deadline(post: it.address, at: it.at)
      guard !waiting.contains(where: { $0.deadline == deadline }) else {
        waiting.removeAll { $0.deadline == deadline }
        continue
      }
      reminded = (reminded + [deadline]).suffix(OverdueNews.rememberedMax)
    }
  }

  /// The lines that have waited long enough: nobody reminds of these.
  mutating func due(now: Int64) -> [Line] {
    let due = waiting.filter { $0.until <= now }
    waiting.removeAll { $0.until <= now }
    return due.map(\.line)
  }

  /// When there is something to tell by itself; nil for never.
  func wait(now: Int64) -> Int? {
    waiting.map { Int(max(0, $0.until - now)) }.min()
  }
}
