/// A committed event with what was there before it: all that taking it back needs.
package struct PastEvent: Equatable, Sendable {
  package let event: Event
  /// For each op the object that it is about, as it was before the whole event; nil where none was.
  package let was: [Object?]
  /// How much of the store was read for it.
  package let bytes: Int

  package init(event: Event, was: [Object?], bytes: Int) {
    self.event = event
    self.was = was
    self.bytes = bytes
  }

  /// What the event as a whole did to posts and to the category, each object once, in the order in
  /// which the ops first name them.
  func changes(in stream: StreamID) -> [PastChange] {
    var state = StreamState(stream: stream, objects: was.compactMap(\.self))
    var before: [ObjectKey: Object] = [:]
    for object in was { if let object { before[object.key] = object } }
    var order: [ObjectKey] = []
    var after: [ObjectKey: Object] = [:]
    for change in state.apply(event) {
      guard let object = change.effect.object else { continue }
      if after.updateValue(object, forKey: change.key) == nil { order.append(change.key) }
    }
    return order.compactMap { key in
      after[key].map { PastChange(before: before[key], after: $0) }
    }
  }
}

/// One object before and after an event.
struct PastChange: Equatable {
  let before: Object?
  let after: Object
}
