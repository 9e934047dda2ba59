/// What a person did at the keyboard.
package enum Key: Equatable, Sendable {
  /// One scalar of typed text; marks and joiners arrive as scalars of their own.
  case scalar(Unicode.Scalar)
  /// A bracketed paste, whole.
  case paste(String)
  /// One that is longer than any may be; its text is not kept.
  case longPaste
  /// Ctrl and a letter, lower case.
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
  /// A sequence that means nothing here; it is swallowed, so that its bytes are never taken for text.
  case unknown
}
