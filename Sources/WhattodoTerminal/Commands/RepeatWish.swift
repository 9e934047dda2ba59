import Domain
import QuickAdd

// The repetition that a person types for a post. It is a rule as in a plain line (`every mon, wed`,
// `every 2 weeks until 24.12.`, `daily 5 times`, `every mon starting 7 dec`, `every month on the last day`:
// protocol/quick-add.md), or the text of an RRULE (RFC 5545) as calendar programs write it, such as
// RRULE:FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1. Behind it may stand, in any order:
//  - `after done`: the next time counts from when the last one was done; `every!` says the same;
//  - `one by one`: missed times are not left out;
//  - `rotate`: the people of the post do it in turn;
//  - `rotate least`: whoever did it least comes next;
//  - `confirmed`: what others complete counts once an admin completes it.
// `off` or `never` ends the repetition. `RecurrenceWords` writes the same words.

/// A repetition that somebody typed. The day that `until 24.12.` means depends on the day on which it is typed, and the
/// meaning of words on the language of the person.
struct RepeatWish: Equatable {
  private let text: String

  /// Reads the text in all languages; nil when none of them understands it.
  init?(_ text: String) {
    self.text = text
    let isRead = Language.locales.contains {
      repetition(today: Day(number: 20_000), languages: Language.tables(for: $0)) != nil
    }
    guard isOff || isRead else { return nil }
  }

  var isOff: Bool { ["off", "never"].contains(text.lowercased()) }

  /// Returns the repetition; nil when it is off.
  func repetition(today: Day, languages: [Language]) -> Repetition? {
    said(today, languages)?.repetition
  }

  /// Returns the day on which it begins, as in "starting 7 dec"; nil when the words name none.
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
    // Only a rule stands here, so the short words of English are read too.
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
