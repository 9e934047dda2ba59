import Domain

extension Words {
  /// Reads `#LIST [done] [as NAME] [from DAY]`. When a number follows the list, it is a post's: then no word is taken.
  mutating func listCopy() -> Action? {
    var words = self
    guard let list = words.listBeforePostNumbers() else { return nil }
    var wish = CopyWish()
    wish.withDone = words.skip("done")
    if words.skip("as") {
      guard var name = words.rest() else { return nil }
      if let from = name.range(ofLast: " from "),
        let day = DueWish(String(name[from.upperBound...]))
      {
        wish.firstDue = day
        name = String(name[..<from.lowerBound])
      }
      guard let name = Words.listName(name) else { return nil }
      wish.name = name
    } else if words.skip("from") {
      guard let day = words.rest().flatMap({ DueWish($0) }) else { return nil }
      wish.firstDue = day
    }
    guard words.isAtEnd else { return nil }
    self = words
    return .list(.copy(list, wish))
  }
}

extension String {
  fileprivate func range(ofLast part: String) -> Range<String.Index>? {
    indices.reversed().lazy.filter { self[$0...].hasPrefix(part) }.first.map {
      $0..<index($0, offsetBy: part.count)
    }
  }
}
