/// A change of the caller's saved filters (protocol §8, `filter.…`).
package enum FilterCommand: Equatable, Sendable {
  case save(Filter)
  case remove(FilterID)

  var method: FilterMethod {
    switch self {
    case .save: .save
    case .remove: .remove
    }
  }
}
