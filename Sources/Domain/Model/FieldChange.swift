/// A change that an edit makes to a field that may be empty.
package enum FieldChange<Value: Equatable & Sendable>: Equatable, Sendable {
  /// Leaves the field as it is.
  case keep
  case clear
  case set(Value)

  /// Makes the change that brings the field from one value to the other.
  init(from old: Value?, to new: Value?) {
    guard old != new else {
      self = .keep
      return
    }
    self = new.map(FieldChange.set) ?? .clear
  }

  func apply(to value: inout Value?) {
    switch self {
    case .keep: break
    case .clear: value = nil
    case .set(let new): value = new
    }
  }
}
