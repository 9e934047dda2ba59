/// A change that brings a post, finds one, or changes one that is there (protocol §8). The value is boxed: most of
/// these are large, and a command is handed on several times.
package indirect enum PostCommand: Equatable, Sendable {
  case add(PostAddress, NewPost)
  /// Changes a post. Erasing takes no version.
  case change(PostAddress, PostChange, ifVersion: Int?)
  /// Adds a post of another program at this address, or changes the one that is found by its id there.
  case importUpsert(PostAddress, ImportedPost)
  /// Claims the first post of a list that nobody has, for this number of milliseconds.
  case claimNext(CategoryID, milliseconds: Int64)

  package var category: CategoryID {
    switch self {
    case .add(let address, _), .change(let address, _, _), .importUpsert(let address, _):
      address.category
    case .claimNext(let category, _): category
    }
  }

  package var method: Method {
    switch self {
    case .add: .post(.add)
    case .change(_, let change, _): change.method
    case .importUpsert: .post(.importUpsert)
    case .claimNext: .post(.claimNext)
    }
  }
}

// Short spellings for callers that know which post is meant.
extension PostCommand {
  package static func add(
    _ category: CategoryID, _ post: PostID, title: String, notes: String
  ) -> PostCommand {
    .add(PostAddress(category: category, post: post), NewPost(title: title, notes: notes))
  }

  package static func change(
    _ category: CategoryID, _ post: PostID, _ change: PostChange, ifVersion: Int? = nil
  ) -> PostCommand {
    .change(PostAddress(category: category, post: post), change, ifVersion: ifVersion)
  }
}
