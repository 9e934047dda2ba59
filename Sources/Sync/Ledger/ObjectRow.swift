/// An object as the store keeps it: its body, and the values by which queries find it.
package struct ObjectRow: Equatable, Sendable {
  /// The object's JSON, as snapshots send it.
  package let body: [UInt8]
  /// The number of a post, or the place of a notice in its event. Nil for a post that is in another list now, so that
  /// no query finds it.
  package let number: Int?
  /// The number of the completing event of a completed post that is not removed, or of a notice's event. So a post
  /// outside the state is completed if it has a rank, and in the bin if it has none.
  package let rank: Int64?
  /// Whether snapshots have the object. They have no removed posts.
  package let inState: Bool
  package let traits: PostTraits

  package init(
    body: [UInt8], number: Int?, rank: Int64?, inState: Bool, traits: PostTraits = []
  ) {
    self.body = body
    self.number = number
    self.rank = rank
    self.inState = inState
    self.traits = traits
  }
}

/// Members of a post that few posts have. Indexes find those few by them. Objects of other kinds have none.
///
/// `rawValue` is the column `object.traits` (Store/Schema+Traits.swift), so its bits stay as they are.
package struct PostTraits: OptionSet, Sendable {
  package let rawValue: Int64

  package static let claim = PostTraits(rawValue: 1)
  package static let position = PostTraits(rawValue: 2)
  package static let source = PostTraits(rawValue: 4)
  package static let run = PostTraits(rawValue: 8)

  package init(rawValue: Int64) { self.rawValue = rawValue }
}
