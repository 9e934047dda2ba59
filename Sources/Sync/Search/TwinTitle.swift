// Posts that say the same (protocol §8, post.twins). Two titles are twins when they have the same words in the same
// order, as a search compares them: `Buy milk!` and `buy MILK`. Adding asks nothing and stores nothing for it: a client
// has all open posts of its lists and looks there; who has no copy asks a reader.

package import Domain
import Text

/// A title as it is compared with others.
package struct TwinTitle: Equatable, Sendable {
  /// Its words (Text/Words.swift), at least one. The kept words of a post that has the title begin with these.
  package let folded: [UInt8]
  /// The same as an earlier version kept it.
  package let foldedInFirstForm: [UInt8]

  /// Nil of a title without a word.
  package init?(_ title: String) {
    folded = Words.plain(title)
    guard !folded.isEmpty else { return nil }
    foldedInFirstForm = Words.plain(title, form: .first)
  }

  /// The removed have no twins.
  package func isOf(_ post: Post) -> Bool {
    post.removed == nil && Words.plain(post.title) == folded
  }

  /// Open ones first, then the completed, of each the newest, at most `listedMax` of each.
  package func twins(among posts: some Sequence<Post>, besides post: PostID?) -> [Post] {
    let found = posts.filter { $0.id != post && isOf($0) }.sorted { $0.number > $1.number }
    return [found.filter { $0.completed == nil }, found.filter { $0.completed != nil }]
      .flatMap { $0.prefix(TwinTitle.listedMax) }
  }

  package static let listedMax = 10
  /// Of the posts whose words begin with the title's (`milk` also begins `milk and bread`) so many are looked at, the
  /// newest: to read a post costs a thousand times as much as its words.
  package static let lookedAtMax = 200
}
