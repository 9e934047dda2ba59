/// A category or a group as a person writes it: `#groceries`, `groceries`, or its number in `/lists`.
struct Reference: Equatable {
  /// The text without its leading `#`.
  let text: String
  /// Whether it was written with `#`. Then it is a list, never a group.
  let isList: Bool

  init(_ text: some StringProtocol) {
    isList = text.hasPrefix("#")
    self.text = String(isList ? text.dropFirst() : text[...])
  }
}
