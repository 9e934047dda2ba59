/// The change that an op made to one object of a stream.
package struct ObjectChange: Equatable, Sendable {
  package enum Effect: Equatable, Sendable {
    /// The object has this value now and is in the state.
    case put(Object)
    /// The object has this value now and is outside the state: it is a removed post, or an edited post that had left
    /// the state before.
    case putOutside(Object)
    /// The object left the state unchanged, because only the newest of its kind stay.
    case dropped
    /// The object is no more.
    case deleted

    /// The object as it is now, in the state or out of it. Nil when the effect does not say.
    package var object: Object? {
      switch self {
      case .put(let object), .putOutside(let object): object
      case .dropped, .deleted: nil
      }
    }
  }

  package let key: ObjectKey
  /// The object before the change. Nil when it was not there or not loaded.
  package let before: Object?
  package let effect: Effect

  package init(key: ObjectKey, before: Object?, effect: Effect) {
    self.key = key
    self.before = before
    self.effect = effect
  }

  /// The object that is in the state now. Nil when it is not there any more.
  package var after: Object? {
    switch effect {
    case .put(let object): object
    case .putOutside, .dropped, .deleted: nil
    }
  }
}
