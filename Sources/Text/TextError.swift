/// Why a text is not taken. Facts, for the caller to put into a field error.
package enum TextError: Error, Hashable, Sendable {
  /// Nothing that shows is left after trimming, and the field wants something.
  case empty
  /// More Unicode scalars after normalisation than the field takes.
  case tooLong(max: Int)
  /// A scalar that the field does not take (a control, a bidi override, a private or non-character …), and how many
  /// scalars of the text as it was given stand before it.
  case forbidden(Unicode.Scalar, at: Int)
  /// More combining marks and joiners on one grapheme than any script needs; `at` is where the grapheme begins,
  /// counted in the same way.
  case tooManyMarks(max: Int, at: Int)
}

extension TextError {
  /// The fault of a part, as one of the whole; `place` turns a place in the part into one in the whole.
  func told(at place: (Int) -> Int) -> TextError {
    switch self {
    case .empty, .tooLong: self
    case .forbidden(let scalar, let at): .forbidden(scalar, at: place(at))
    case .tooManyMarks(let max, let at): .tooManyMarks(max: max, at: place(at))
    }
  }
}
