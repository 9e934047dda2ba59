// Posts with the same words (protocol §8, post.twins). Two titles are twins when they have the same words in the same
// order, as a search compares them: `Buy milk!` and `buy MILK`. Adding a post asks and stores nothing for it: a client
// has all open posts of its lists and looks there; a client without a copy asks a reader.

package import Domain
import Text

/// A title as it is compared with others.
package struct TwinTitle: Equatable, Sendable {
  /// The words of the title (Text/Words.swift), at least one. The kept words of a post with this title begin with
  /// these.
  package let folded: [UInt8]
  /// The words as an earlier version kept them.
  package let foldedInFirstForm: [UInt8]

  /// Makes it from a title; nil for a title without a word.
  package init?(_ title: String) {
    folded = Words.plain(title)
    guard !folded.isEmpty else { return nil }
    foldedInFirstForm = Words.plain(title, form: .first)
  }

  /// Answers whether a post has this title; removed posts have no twins.
  package func isOf(_ post: Post) -> Bool {
    post.removed == nil && Words.plain(post.title) == folded
  }

  /// Returns the open twins first, then the completed ones, the newest first, at most `listedMax` of each.
  package func twins(among posts: some Sequence<Post>, besides post: PostID?) -> [Post] {
    let found = posts.filter { $0.id != post && isOf($0) }.sorted { $0.number > $1.number }
    return [found.filter { $0.completed == nil }, found.filter { $0.completed != nil }]
      .flatMap { $0.prefix(TwinTitle.listedMax) }
  }

  package static let listedMax = 10
  /// The number of posts that are looked at, the newest, among those whose words begin with the title's (`milk` also
  /// begins `milk and bread`). To read a post costs a thousand times as much as its words.
  package static let lookedAtMax = 200
}
