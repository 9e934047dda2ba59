import Domain

@testable import Wire

// Posts that are for each, by the names of the vectors.

extension Samples {
  static let partCommands: [Sample<Command>] = [
    Sample("post.complete: for all", .changePost(ID.category, ID.post, .completeForAll)),
    Sample(
      "post.complete: one occurrence for all",
      .changeOccurrence(ID.category, ID.post, 3, .completeForAll)),
  ]
}
