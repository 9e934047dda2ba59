import Domain

/// The reason why a line cannot be carried out, and what can be done about it.
struct Problem: Error, Equatable {
  enum Remedy: Equatable {
    /// Ask for the line again with a word of `Times` in it.
    case times
    /// Ask whether the person means it. The line completes a time that came after something done a moment ago, or takes
    /// back what somebody else did.
    case again
    /// Look the post up in the log of this list. It may have moved to another list, where it has another number.
    case whereabouts(of: Int, Category)
    /// Name the list. A chat may also open one, which a script cannot.
    case list
  }

  let sentence: String
  let remedy: Remedy?

  init(_ sentence: String, remedy: Remedy? = nil) {
    self.sentence = sentence
    self.remedy = remedy
  }
}
