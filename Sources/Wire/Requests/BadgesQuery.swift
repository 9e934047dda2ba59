package import Domain

/// The request `category.list` with `mine` (protocol §8): the badges of everything that the person sees.
package struct BadgesQuery: Equatable, Sendable {
  /// The place behind which badges are wanted: the `after` of the answer before. Nil begins.
  package let after: StreamID?

  package init(after: StreamID? = nil) { self.after = after }
}

extension BadgesQuery {
  init(_ params: Params) throws(Refusal) { self.init(after: try params.optional(.after)) }

  func add(to fields: inout SortedFields) { fields.add(.after, after) }
}

extension Parameter where S == StreamShape {
  fileprivate static var after: Self {
    Self("after", S(letters: "cg"), "with `mine`: the `after` of an earlier page")
  }
}
