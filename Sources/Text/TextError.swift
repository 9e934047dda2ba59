/// The reason why a text is not accepted. The cases are facts, for the caller to put into a field error.
package enum TextError: Error, Hashable, Sendable {
  /// Nothing that shows is left after trimming, and the field needs something.
  case empty
  /// The text has more Unicode scalars after normalisation than the field accepts.
  case tooLong(max: Int)
  /// The field does not accept this scalar (a control, a bidi override, a private or non-character …). `at` is the
  /// number of scalars that stand before it in the text as it was given.
  case forbidden(Unicode.Scalar, at: Int)
  /// One grapheme has more combining marks and joiners than any script needs. `at` is where the grapheme begins,
  /// counted in the same way.
  case tooManyMarks(max: Int, at: Int)
}

extension TextError {
  /// Returns the fault of a part as one of the whole. `place` turns a place in the part into one in the whole.
  func told(at place: (Int) -> Int) -> TextError {
    switch self {
    case .empty, .tooLong: self
    case .forbidden(let scalar, let at): .forbidden(scalar, at: place(at))
    case .tooManyMarks(let max, let at): .tooManyMarks(max: max, at: place(at))
    }
  }
}
