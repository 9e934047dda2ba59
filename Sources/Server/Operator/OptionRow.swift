/// The facts about one option of the command line. `--help` and the manual page print them, and the reader of the
/// arguments (Invocation.swift) goes by them.
struct OptionRow: Sendable {
  /// The name with its dashes.
  let name: String
  /// The value behind the name, such as `DAYS`. Empty for an option without one.
  let value: String
  /// The words that say what it does, without a full stop.
  let text: String
  /// The numbers that it takes. Nil when its value is no number.
  var numbers: ClosedRange<Int>?
  /// The word that it takes in place of a number.
  var word: String?
  /// The default. Nil when the text says it, or when there is none.
  var usual: String?
  var isRepeated = false

  /// The name, with its value behind it.
  var call: String { value.isEmpty ? name : "\(name) \(value)" }

  /// All that there is to say: the text, the numbers, the default, and whether the option may be repeated.
  var sentence: String {
    var sentence = text
    if let numbers { sentence += "; from \(numbers.lowerBound) to \(numbers.upperBound)" }
    if let word { sentence += " or `\(word)`" }
    if let usual { sentence += "; default \(usual)" }
    return isRepeated ? sentence + "; may be repeated" : sentence
  }
}
