/// A key that a person pressed, or a text that they pasted.
package enum Key: Equatable, Sendable {
  /// One scalar of typed text. Combining marks and joiners arrive as scalars of their own.
  case scalar(Unicode.Scalar)
  /// The whole text of a bracketed paste.
  case paste(String)
  /// A paste that is longer than the maximum; its text is not kept.
  case longPaste
  /// Ctrl and a letter in lower case.
  case control(Character)
  case enter
  case tab
  case backspace
  case delete
  case left
  case right
  case wordLeft
  case wordRight
  case up
  case down
  case home
  case end
  case pageUp
  case pageDown
  case escape
  /// A sequence without a meaning here. It is swallowed, so that its bytes are never taken for text.
  case unknown
}
