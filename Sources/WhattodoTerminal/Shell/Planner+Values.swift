import Domain
import Sync

/// The value that a command shows when it is given none.
enum ShownValue {
  case field(ShownField, of: Post, step: Step?, in: Category)
  case listField(ShownListField, of: Category)
  case tag(Tag)
  case role(Member, ListOrGroup)
  case filter(Filter)
}

extension Planner {
  func view(_ action: ShowAction) throws(Problem) -> View {
    switch action {
    case .lists: return .lists
    case .groups: return .groups
    case .archived: return .archived
    case .posts(let list, let done): return try posts(of: list, done: done)
    case .post(let list, let number): return try post(number, in: list)
    case .tags(let list): return .tags(try situation.list(list))
    case .talk(let place): return .talk(try situation.talked(place), about: nil)
    case .comments(let list, let number):
      let list = try situation.list(list)
      return .talk(.list(list), about: try situation.post(number, in: list))
    case .line(let place, let number):
      let found = try line(number, in: place)
      guard let said = found.held else { throw Planner.tooOld(found.number) }
      return .line(said, found.place)
    case .value(let list, let number, let field): return try look(at: field, of: number, in: list)
    case .listValue(let list, let field):
      return .value(.listField(field, of: try situation.list(list)))
    case .tag(let list, let word):
      return .value(.tag(try tag(word, of: try situation.list(list))))
    case .role(let person, let place):
      let (place, member) = try member(person, of: place)
      return .value(.role(member, place))
    }
  }

  private func look(
    at field: ShownField, of number: PostNumber, in reference: Reference?
  ) throws(Problem) -> View {
    let list = try situation.list(reference)
    let (post, step) = try situation.post(number, in: list)
    return .value(.field(field, of: post, step: step, in: list))
  }
}
