// The texts of a post by which search finds it, and when they are written.

package import Domain
package import Text
package import Wire

extension Post {
  /// The folded text (Text/Words.swift) of all that is searched. A store keeps it for every post. So a change that adds
  /// a text here, or folds in another way, also adds a step to the store's schema that writes the texts again.
  package var foldedWords: [UInt8] { Words.folded(searchedTexts) }

  /// The folded text as an earlier version kept it.
  package var foldedWordsOfFirstForm: [UInt8] { Words.folded(searchedTexts, form: .first) }

  private var searchedTexts: [String] { [title, notes] + steps.map(\.content) }

  fileprivate func isFound(as before: Post) -> Bool {
    title == before.title && notes == before.notes
      && steps.lazy.map(\.content).elementsEqual(before.steps.lazy.map(\.content))
      && (removed == nil) == (before.removed == nil)
  }
}

/// The words that a store keeps to find a post by. They are written in the transaction that changes the post.
package struct PostWords: Equatable, Sendable {
  package let category: CategoryID
  package let number: Int
  package let createdAt: Timestamp
  package let isRemoved: Bool
  package let folded: [UInt8]

  package init(_ post: Post, in category: CategoryID) {
    self.category = category
    number = post.number
    createdAt = post.createdAt
    isRemoved = post.removed != nil
    folded = post.foldedWords
  }

  /// Returns the words of the posts that an event added, or changed in what search looks at.
  static func all(of changes: [ObjectChange], in stream: StreamID) -> [PostWords] {
    guard case .category(let category) = stream else { return [] }
    var places: [ObjectKey: Int] = [:]
    var posts: [Post] = []
    for change in changes {
      guard case .post(let post) = change.effect.object else { continue }
      // When a post changes several times, the last change counts, because folding a long text is expensive.
      if let place = places[change.key] {
        posts[place] = post
        continue
      }
      if case .post(let before) = change.before, post.isFound(as: before) { continue }
      places[change.key] = posts.count
      posts.append(post)
    }
    return posts.map { PostWords($0, in: category) }
  }
}

/// A search as a store gets it.
package struct PostSearch: Equatable, Sendable {
  package let words: WantedWords
  /// The categories, ascending, each once.
  package let categories: [CategoryID]
  package let place: SearchPlace
  package let after: FoundPlace?
  /// The maximum of posts, at least 1.
  package let limit: Int

  package init(
    _ words: WantedWords, in categories: [CategoryID], _ place: SearchPlace, after: FoundPlace?,
    limit: Int
  ) {
    self.words = words
    self.categories = categories
    self.place = place
    self.after = after
    self.limit = limit
  }

  /// Answers whether the present post is one of those that are wanted.
  package func finds(_ post: Post, in category: CategoryID) -> Bool {
    guard (post.removed != nil) == (place == .bin) else { return false }
    let here = FoundPlace(createdAt: post.createdAt, category: category, number: post.number)
    if let after, here <= after { return false }
    return words.areIn(post.foldedWords)
  }
}

/// A post that was found, and its place among all found ones.
package struct FoundPost: Equatable, Sendable {
  package let place: FoundPlace
  package let post: Post

  package init(_ post: Post, in category: CategoryID) {
    place = FoundPlace(createdAt: post.createdAt, category: category, number: post.number)
    self.post = post
  }
}

/// The facts about a category that a search needs before it looks there.
package struct SearchedList: Equatable, Sendable {
  package let category: CategoryID
  package let role: Role
  /// The time of its last change.
  package let changedAt: Timestamp
  /// The number of posts that it has ever had.
  package let posts: Int
  /// The zone of its days, to which its dues belong.
  package let zone: String
  /// The event that let the asker in the last time.
  package let joinedSeq: Int64
  /// The number of its open posts.
  package let open: Int
  package let isArchived: Bool

  package init(
    category: CategoryID, role: Role, changedAt: Timestamp, posts: Int, zone: String,
    joinedSeq: Int64, open: Int, isArchived: Bool
  ) {
    self.isArchived = isArchived
    self.open = open
    self.zone = zone
    self.joinedSeq = joinedSeq
    self.category = category
    self.role = role
    self.changedAt = changedAt
    self.posts = posts
  }
}
