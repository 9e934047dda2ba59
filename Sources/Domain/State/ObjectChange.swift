/// What an op did to one object of a stream.
package struct ObjectChange: Equatable, Sendable {
  package enum Effect: Equatable, Sendable {
    /// Now like this, in the state.
    case put(Object)
    /// Now like this, out of the state: a removed post, or an edited one that had left before.
    case putOutside(Object)
    /// Left the state as it was, because only the newest of its kind stay.
    case dropped
    /// Is no more.
    case deleted

    /// The object as it is now, in the state or out of it, as far as the effect says.
    package var object: Object? {
      switch self {
      case .put(let object), .putOutside(let object): object
      case .dropped, .deleted: nil
      }
    }
  }

  package let key: ObjectKey
  /// Nil when it was not known: not there, or not loaded.
  package let before: Object?
  package let effect: Effect

  package init(key: ObjectKey, before: Object?, effect: Effect) {
    self.key = key
    self.before = before
    self.effect = effect
  }

  /// The object in the state now; nil when it is not there any more.
  package var after: Object? {
    switch effect {
    case .put(let object): object
    case .putOutside, .dropped, .deleted: nil
    }
  }
}
