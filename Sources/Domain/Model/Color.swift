/// Colours by their words, of which every screen makes its own: sixteen on a terminal. A closed list, so that what is
/// stored is always something that can be shown.
///
/// `blue` is what a thing has that was given none. It is never stored: no colour and blue are the same.
package enum Color: String, CaseIterable, Sendable {
  case red
  case orange
  case yellow
  case green
  case teal
  case blue
  case purple
  case pink
  case brown
  case gray

  package static let standard = Color.blue
}
