// A position is the place of a post among those of its list: a text of the digits 0–9 a–z that is compared byte by
// byte. A post that nobody has moved stands where its number says (`of(number:)`), so a list begins in the order in
// which it grew. A post that is moved between two others gets a text between theirs. Two people who move at once can
// make equal texts; these are ordered by number.
//
// No text ends with 0, so between two different ones there is always another. The new text is the shortest in the
// middle (fractional indexing, as in Figma and Linear): about one digit for five moves into the same gap. At the top
// the first four digits count down, and behind the last post the last digit counts up, so there it takes thousands of
// moves to need another digit.

/// The place of a post in its list.
package struct Position: Hashable, Comparable, Sendable {
  /// The text: 1 … `Limits.positionCharactersMax` of 0–9 a–z, not 0 at the end.
  package let text: String

  /// Reads a position. Nil for any other text.
  package init?(_ text: String) {
    guard (1...Limits.positionCharactersMax).contains(text.utf8.count),
      text.utf8.allSatisfy({ Position.value(of: $0) != nil }), text.utf8.last != UInt8(ascii: "0")
    else { return nil }
    self.text = text
  }

  /// Returns the position of a post that was never moved: `5`, the number with ten digits, `i`.
  package static func of(number: Int) -> Position {
    let digits = "\(number)"
    return Position(
      unchecked: "5" + String(repeating: "0", count: 10 - digits.count) + digits + "i")
  }

  package static func < (left: Position, right: Position) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  private init(unchecked text: String) { self.text = text }

  // MARK: New positions

  /// Returns the middle between two positions. Nil where there is no room: they are not in this order, or the text
  /// would be too long.
  static func between(_ lower: Position, _ upper: Position) -> Position? {
    guard lower < upper else { return nil }
    return Position(digits: middle(lower.digits[...], upper.digits[...]))
  }

  /// Returns a position in front of the first of a list.
  static func before(_ first: Position) -> Position? {
    let head = (0..<4).reduce(0) { $0 * 36 + ($1 < first.digits.count ? first.digits[$1] : 0) } - 1
    guard head > 0 else { return Position(digits: middle([], first.digits[...])) }
    let digits = [head / 46_656, head / 1_296 % 36, head / 36 % 36, head % 36]
    return Position(digits: head % 36 == 0 ? digits + [18] : digits)
  }

  /// Returns a position behind the last of a list, and in front of posts to come.
  static func behind(_ last: Position, coming: Position) -> Position? {
    var digits = last.digits
    if digits[digits.count - 1] < 35 {
      digits[digits.count - 1] += 1
    } else {
      digits.append(1)
    }
    guard let next = Position(digits: digits) else { return nil }
    return last < coming && next >= coming ? between(last, coming) : next
  }

  /// Returns the position of a post that shall stand behind the one and before the other; at least one is given. It is
  /// behind the upper one when these are not in this order. `coming` is the position of the next new post. Nil where
  /// there is no room.
  static func placed(
    behind upper: Position?, before lower: Position?, coming: Position
  ) -> Position? {
    guard let upper else { return lower.flatMap { before($0) } }
    if let lower, upper < lower { return between(upper, lower) }
    return behind(upper, coming: coming)
  }

  /// Returns the digits in the middle. `lower` < `upper`, and neither ends with 0. An empty `lower` is below all, and
  /// no `upper` is above all.
  private static func middle(_ lower: ArraySlice<Int>, _ upper: ArraySlice<Int>?) -> [Int] {
    let (low, high) = (lower.first ?? 0, upper?.first ?? 36)
    if low == high { return [low] + middle(lower.dropFirst(), upper?.dropFirst()) }
    if high - low > 1 { return [(low + high + 1) / 2] }
    if let upper, upper.count > 1 { return [high] }
    return [low] + middle(lower.dropFirst(), nil)
  }

  private var digits: [Int] { text.utf8.compactMap { Position.value(of: $0) } }

  private init?(digits: [Int]) {
    self.init(
      String(
        decoding: digits.map {
          UInt8($0 < 10 ? Int(UInt8(ascii: "0")) + $0 : Int(UInt8(ascii: "a")) - 10 + $0)
        },
        as: UTF8.self))
  }

  private static func value(of byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a")) + 10
    default: nil
    }
  }
}

extension Post {
  /// The place of the post. Posts are ordered by it, then by number.
  package var place: Position { position ?? .of(number: number) }

  package func stands(before other: Post) -> Bool {
    (place, number) < (other.place, other.number)
  }
}
