// Two streams report the deadline of a post that is one's own, at about the same moment: the list says that the post is
// overdue, and the person's own stream that they are reminded. The person reads one line, the reminder's, which also
// rings the bell. Nobody can say which report comes first, so the line of the list waits a moment for the reminder.
// Usually none comes, because the post is somebody else's (protocol §5.10). Neither line is shown for what the person
// has muted or snoozed.

import Client
import Domain
import Screen

/// The lines of deadlines that wait, and the reminders that came before their lines. Owned by the chat.
struct OverdueNews {
  /// One deadline of a post; another time of the same post is another deadline.
  struct Deadline: Hashable {
    let post: PostAddress
    let at: Timestamp
  }

  private struct Waiting {
    let deadline: Deadline
    let line: Line
    /// The end of the wait, on the clock of `now`.
    let until: Int64
  }

  /// The time that a line waits. The two reports leave the server together; half of this would do on a slow connection.
  static let patienceMilliseconds: Int64 = 1_000
  /// The number of reminders that are remembered. More come at once only after a long absence, and then sums are shown.
  static let rememberedMax = 200

  private var waiting: [Waiting] = []
  /// The reminders whose line has not come yet, the newest last.
  private var reminded: [Deadline] = []

  /// Returns the lines of an event that are shown at once. `now` is in milliseconds, on a clock that only goes forward.
  mutating func lines(
    of applied: AppliedEvent, in stream: StreamID, _ lines: EventLines, now: Int64
  ) -> [Line] {
    hear(applied)
    for (deadline, line) in lines.overdue(applied, in: stream) {
      if let place = reminded.firstIndex(of: deadline) {
        reminded.remove(at: place)
      } else {
        let until = now + OverdueNews.patienceMilliseconds
        waiting.append(Waiting(deadline: deadline, line: line, until: until))
      }
    }
    return lines.timed(applied, in: stream, withOverdue: false)
  }

  /// Takes note of the reminders of an event, however the event is shown.
  mutating func hear(_ applied: AppliedEvent) {
    for case .personal(.fired(let it)) in applied.event.ops where it.kind == .overdue {
      let deadline = Deadline(post: it.address, at: it.at)
      guard !waiting.contains(where: { $0.deadline == deadline }) else {
        waiting.removeAll { $0.deadline == deadline }
        continue
      }
      reminded = (reminded + [deadline]).suffix(OverdueNews.rememberedMax)
    }
  }

  /// Takes the lines that have waited long enough, because no reminder came for them.
  mutating func due(now: Int64) -> [Line] {
    let due = waiting.filter { $0.until <= now }
    waiting.removeAll { $0.until <= now }
    return due.map(\.line)
  }

  /// Returns the milliseconds until a line has waited long enough; nil when none waits.
  func wait(now: Int64) -> Int? {
    waiting.map { Int(max(0, $0.until - now)) }.min()
  }
}
