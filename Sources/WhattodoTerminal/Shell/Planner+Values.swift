import Domain
import Sync

/// The value that a command shows when it is given none.
enum ShownValue {
  case field(ShownField, of: Post, step: Step?, in: Category)
  case listField(ShownListField, of: Category)
  case tag(Tag)
  case role(Member, Place)
  case filter(Filter)
}

extension Planner {
  func look(
    at field: ShownField, of number: PostNumber, in reference: Reference?
  ) throws(Problem) -> View {
    let list = try situation.list(reference)
    let (post, step) = try situation.post(number, in: list)
    return .value(.field(field, of: post, step: step, in: list))
  }

  /// Returns the view for an action that the copies can answer; nil for any other action.
  func view(_ action: Action) throws(Problem) -> View? {
    switch action {
    case .lists: return .lists
    case .groups: return .groups
    case .show(let list, let done): return try posts(of: list, done: done)
    case .showPost(let list, let number): return try post(number, in: list)
    case .tags(let list): return .tags(try situation.list(list))
    case .look(let list, let number, let field): return try look(at: field, of: number, in: list)
    case .lookAtList(let list, let field):
      return .value(.listField(field, of: try situation.list(list)))
    case .lookAtTag(let reference, let word):
      return .value(.tag(try tag(word, of: try situation.list(reference))))
    case .lookAtRole(let person, let reference):
      let (place, member) = try member(person, of: reference)
      return .value(.role(member, place))
    default: return nil
    }
  }
}
