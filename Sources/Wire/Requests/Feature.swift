/// The additions that a client may ask for in `hello` (protocol §8), by their names on the wire.
package enum Feature: String, CaseIterable, Sendable {
  /// Behind the events come the objects that they changed, whole (protocol §5.4).
  case objects
}
