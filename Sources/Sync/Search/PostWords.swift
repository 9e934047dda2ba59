// What of a post is found by search, and when it is written anew.

package import Domain
package import Text
package import Wire

extension Post {
  /// The folded text (Text/Words.swift) of all that is searched. The kept words of every stored post are these, so
  /// whoever adds a text here, or folds otherwise, also adds a step to the store's schema that has them written again.
  package var foldedWords: [UInt8] { Words.folded(searchedTexts) }

  /// The same as an earlier version kept it.
  package var foldedWordsOfFirstForm: [UInt8] { Words.folded(searchedTexts, form: .first) }

  private var searchedTexts: [String] { [title, notes] + steps.map(\.content) }

  fileprivate func isFound(as before: Post) -> Bool {
    title == before.title && notes == before.notes
      && steps.lazy.map(\.content).elementsEqual(before.steps.lazy.map(\.content))
      && (removed == nil) == (before.removed == nil)
  }
}

/// What a store keeps of a post to find it by: written in the transaction that changes the post.
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

  /// Of the posts that an event has added or changed in what search looks at.
  static func all(of changes: [ObjectChange], in stream: StreamID) -> [PostWords] {
    guard case .category(let category) = stream else { return [] }
    var places: [ObjectKey: Int] = [:]
    var posts: [Post] = []
    for change in changes {
      guard case .post(let post) = change.effect.object else { continue }
      // Of several changes the last one counts: to fold a long text is work.
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
  /// Ascending, each once.
  package let categories: [CategoryID]
  package let place: SearchPlace
  package let after: FoundPlace?
  /// At least 1.
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

  /// Whether the post, as it is now, is one of those that are wanted.
  package func finds(_ post: Post, in category: CategoryID) -> Bool {
    guard (post.removed != nil) == (place == .bin) else { return false }
    let here = FoundPlace(createdAt: post.createdAt, category: category, number: post.number)
    if let after, here <= after { return false }
    return words.areIn(post.foldedWords)
  }
}

/// A post that was found, and where it stands among all that are.
package struct FoundPost: Equatable, Sendable {
  package let place: FoundPlace
  package let post: Post

  package init(_ post: Post, in category: CategoryID) {
    place = FoundPlace(createdAt: post.createdAt, category: category, number: post.number)
    self.post = post
  }
}

/// A category as far as a search must know it before it looks there.
package struct SearchedList: Equatable, Sendable {
  package let category: CategoryID
  package let role: Role
  /// When it was changed last.
  package let changedAt: Timestamp
  /// How many posts it has had.
  package let posts: Int
  /// Whose days its dues have.
  package let zone: String
  /// The event that let the asker in, the last time.
  package let joinedSeq: Int64
  /// How many of its posts are open.
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
