import Client
import Domain
import Screen

extension EventLines {
  /// Returns the line for a post that moved within its list, to another list, or from one. A person in both lists gets
  /// one line from each.
  func moveLine(_ op: PostOp, _ applied: AppliedEvent, _ who: Who, _ place: String) -> Line? {
    switch op {
    case .moved(let id, _, _):
      who.line("✎", .accent, "\(title(of: id, applied)) moved (in \(place))")
    case .movedOut(let id, _, _, _):
      who.line("→", .accent, "\(title(of: id, applied)) (to another list, from \(place))")
    case .movedIn(let post, _):
      who.line("+", .accent, "\(post.title) (#\(post.number) in \(place), from another list)")
    default: nil
    }
  }
}
