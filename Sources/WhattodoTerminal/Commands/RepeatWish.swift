import Domain
import QuickAdd

// How a post shall come again, as a person types it: as in a plain line (`every mon, wed`,
// `every 2 weeks until 24.12.`, `daily 5 times`, `every mon starting 7 dec`, `every month on the last day`:
// protocol/quick-add.md), or the text of an RRULE (RFC 5545) as calendar programs write it, such as
// RRULE:FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1. Behind it, in any order: `after done` (counted from when it was done;
// `every!` says the same), `one by one` (missed ones are not left out), `rotate` (its people do it in turn),
// `rotate least` (who did it least comes next), `confirmed` (what others complete counts when an admin completes it).
// `off` or `never`: not any more. `RecurrenceWords` writes the same words.

/// A repetition that somebody typed. Which day `until 24.12.` means depends on the day on which it is said, and what
/// words mean on the language of who says them.
struct RepeatWish: Equatable {
  private let text: String

  /// Nil for anything else.
  init?(_ text: String) {
    self.text = text
    let isRead = Language.locales.contains {
      repetition(today: Day(number: 20_000), languages: Language.tables(for: $0)) != nil
    }
    guard isOff || isRead else { return nil }
  }

  var isOff: Bool { ["off", "never"].contains(text.lowercased()) }

  /// Nil when it is off.
  func repetition(today: Day, languages: [Language]) -> Repetition? {
    said(today, languages)?.repetition
  }

  /// The day on which it begins, "starting 7 dec"; nil when the words name none.
  func start(today: Day, languages: [Language]) -> Day? { said(today, languages)?.start }

  private struct Said {
    var repetition: Repetition
    var start: Day?
  }

  private func said(_ today: Day, _ languages: [Language]) -> Said? {
    var words = text.split(separator: " ").map(String.init)
    var basis: Recurrence.Basis?
    var missed = Recurrence.Missed.dropped
    var rotation: Rotation?
    var confirms = false
    while true {
      let lower = words.map { $0.lowercased() }
      if lower.suffix(2) == ["after", "done"] {
        basis = .completion
        words.removeLast(2)
      } else if lower.suffix(3) == ["one", "by", "one"] {
        missed = .kept
        words.removeLast(3)
      } else if lower.last == "confirmed" {
        confirms = true
        words.removeLast()
      } else if lower.last == "rotate" {
        rotation = .turn
        words.removeLast()
      } else if lower.suffix(2) == ["rotate", "least"] {
        rotation = .least
        words.removeLast(2)
      } else {
        break
      }
    }
    let rule = words.joined(separator: " ")
    // Nothing but a rule stands here, so English is read with its short words, too.
    guard
      var said = RepeatWish.read(rule, today, languages) ?? RepeatWish.read(rule, today, [.english])
    else { return nil }
    said.repetition = Repetition(
      said.repetition.rule, basis: basis ?? said.repetition.basis, missed: missed,
      rotation: rotation, confirms: confirms)
    return said
  }

  private static func read(_ text: String, _ today: Day, _ languages: [Language]) -> Said? {
    let upper = text.uppercased()
    if upper.contains("FREQ=") {
      do throws(RecurrenceProblem) {
        return Said(repetition: Repetition(try RecurrenceRule(upper)))
      } catch {
        return nil
      }
    }
    let reading = QuickAdd(text, today: today, minuteOfDay: 0, languages: languages)
    guard reading.title.isEmpty, let repetition = reading.repetition,
      reading.guesses.allSatisfy({ $0.kind == .recurrence || $0.kind == .due }),
      reading.due == nil || reading.startsOnDue
    else { return nil }
    return Said(repetition: repetition, start: reading.due)
  }
}
