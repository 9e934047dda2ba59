import Client
import Domain
import Screen

extension EventLines {
  /// Posts in another order, to another list, or from one. Who is in both lists has a line of each.
  func moveLine(_ op: Op, _ happening: Happening, _ who: Who, _ place: String) -> Line? {
    switch op {
    case .postMoved(let id, _, _):
      who.line("✎", .accent, "\(title(of: id, happening)) moved (in \(place))")
    case .postMovedOut(let id, _, _, _):
      who.line("→", .accent, "\(title(of: id, happening)) (to another list, from \(place))")
    case .postMovedIn(let post, _):
      who.line("+", .accent, "\(post.title) (#\(post.number) in \(place), from another list)")
    default: nil
    }
  }
}
