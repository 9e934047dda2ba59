package import Domain
package import Text

/// The answer to `search` (protocol §8).
package typealias SearchResult = FoundPage<FoundLine>

/// A post that was found.
package struct FoundLine: PostLine {
  package let category: CategoryID
  package let post: Post
  /// The places of the words in the title, as ranges of scalars.
  package let title: [Range<Int>]
  package let notes: [Range<Int>]
  /// The steps that have such words, in their order.
  package let steps: [FoundStep]

  package init(
    category: CategoryID, post: Post, title: [Range<Int>], notes: [Range<Int>],
    steps: [FoundStep] = []
  ) {
    self.category = category
    self.post = post
    self.title = title
    self.notes = notes
    self.steps = steps
  }

  /// Finds the places of the words, at most `Limits.searchMarksMax` in each text.
  package init(_ post: Post, in category: CategoryID, _ words: WantedWords) {
    self.init(
      category: category, post: post,
      title: words.told(in: post.title), notes: words.told(in: post.notes),
      steps: post.steps.compactMap { step in
        let places = words.told(in: step.content)
        return places.isEmpty ? nil : FoundStep(id: step.id, places: places)
      })
  }

  package init(decoding node: JSONNode) throws(WireError) {
    let fields = try StoredFields(node)
    let found = try fields.foundPost()
    self.init(
      category: found.category, post: found.post, title: try fields.ranges("title"),
      notes: try fields.ranges("notes"), steps: try fields.foundSteps("steps"))
  }

  package func writeFields(to writer: inout JSONWriter) {
    writer.foundPost(post, in: category)
    writer.member("title", ranges: title)
    writer.member("notes", ranges: notes)
    guard !steps.isEmpty else { return }
    writer.members("steps", steps) { step, writer in
      writer.member("id", step.id.uuid)
      writer.member("places", ranges: step.places)
    }
  }
}

/// The places of the words in a step.
package struct FoundStep: Equatable, Sendable {
  package let id: StepID
  package let places: [Range<Int>]

  package init(id: StepID, places: [Range<Int>]) {
    self.id = id
    self.places = places
  }
}

extension WantedWords {
  fileprivate func told(in text: String) -> [Range<Int>] {
    Array(places(in: text).prefix(Limits.searchMarksMax))
  }
}

extension JSONWriter {
  /// Writes `[[first, end], …]`, or nothing when there are none.
  fileprivate mutating func member(_ name: String, ranges: [Range<Int>]) {
    guard !ranges.isEmpty else { return }
    key(name)
    beginArray()
    for range in ranges {
      beginArray()
      int(range.lowerBound)
      int(range.upperBound)
      endArray()
    }
    endArray()
  }
}

extension StoredFields {
  fileprivate func foundSteps(_ name: String) throws(WireError) -> [FoundStep] {
    guard has(name) else { return [] }
    var steps: [FoundStep] = []
    for element in try elements(name) {
      let fields = try StoredFields(element)
      steps.append(
        FoundStep(id: StepID(try fields.uuid("id")), places: try fields.ranges("places")))
    }
    return steps
  }

  fileprivate func ranges(_ name: String) throws(WireError) -> [Range<Int>] {
    guard has(name) else { return [] }
    var ranges: [Range<Int>] = []
    for element in try elements(name) {
      guard let bounds = element.elements.map({ $0.map(\.int64) }), bounds.count == 2,
        let first = bounds[0], let end = bounds[1], 0 <= first, first <= end
      else { throw .malformed(name) }
      ranges.append(Int(first)..<Int(end))
    }
    return ranges
  }
}
