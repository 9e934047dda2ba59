import Domain

@testable import Wire

// Posts that are for each, and occurrences that are named with their due, by the names of the vectors.

extension Samples {
  static let partCommands: [Sample<Command>] = [
    Sample(
      "post.edit: for each doer",
      .editPost(
        ID.category, ID.post, PostEdit(mode: .set(.each), modeRole: .set(.doer)), ifVersion: nil)),
    Sample(
      "post.edit: for each of all again",
      .editPost(ID.category, ID.post, PostEdit(modeRole: .clear), ifVersion: nil)),
    Sample(
      "post.add: for each owner",
      .post(
        .add(
          PostAddress(category: ID.category, post: ID.post),
          NewPost(
            title: "Milk", fields: PostEdit(mode: .set(.each), modeRole: .set(.owner)))))),
    Sample("post.complete: for all", .post(.change(ID.category, ID.post, .completeForAll))),
    Sample(
      "post.complete: one occurrence for all",
      .changeOccurrence(ID.category, ID.post, 3, .completeForAll)),
    Sample(
      "post.skip: and when it is due",
      .post(
        .change(
          PostAddress(category: ID.category, post: ID.post),
          .occurrence(OccurrenceName(3, due: evening), .skip), ifVersion: 3))),
    Sample(
      "post.take_back", .post(.change(ID.category, ID.post, .takeBack(event: 7), ifVersion: 3))),
  ]
}
