import Domain

/// Why a line cannot be carried out; a sentence, and what could be done about it.
struct Problem: Error, Equatable {
  enum Remedy: Equatable {
    /// The line again with a word of `Times` in it.
    case times
    /// The line again, by whoever means it: what it completes comes after something done a moment ago, or what it takes
    /// back is somebody else's.
    case again
    /// The post may have gone to another list, where it has another number: the log of this one knows.
    case whereabouts(of: Int, Category)
  }

  let sentence: String
  let remedy: Remedy?

  init(_ sentence: String, remedy: Remedy? = nil) {
    self.sentence = sentence
    self.remedy = remedy
  }
}
