import Client
import Domain
import Screen

// What is said of posts that come again.

extension EventLines {
  /// `✔ Water the plants (again Fri, in #home)`
  func occurred(
    _ id: PostID, _ news: NextOccurrence, _ happening: Happening, _ who: Who, _ place: String
  ) -> Line {
    let title = title(of: id, happening)
    let next: Phrase = "again \(situation.clock.words(news.next.due)), in \(place)"
    switch news.reason {
    case .completed: return who.line("✔", .good, "\(title) (" + next + ")")
    case .skipped: return who.line("↷", .accent, "\(title): not this time (" + next + ")")
    }
  }
}
