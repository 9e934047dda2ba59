/// Why a text is not taken. Facts, for the caller to put into a field error.
package enum TextError: Error, Hashable, Sendable {
  /// Nothing is left after trimming, and the field wants something.
  case empty
  /// More Unicode scalars after normalisation than the field takes.
  case tooLong(max: Int)
  /// A scalar that the field does not take: a control, a bidi override, a private or non-character …
  case forbidden(Unicode.Scalar)
  /// More combining marks and joiners on one grapheme than any script needs.
  case tooManyMarks(max: Int)
}
