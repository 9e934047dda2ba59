/// The colours by their words, of which every screen makes its own: sixteen on a terminal. The list is closed, so that
/// a stored colour can always be shown.
///
/// A thing that was given no colour is `blue`. That is never stored: no colour and blue are the same.
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
