package import Domain

/// The request `category.list` with `mine` (protocol §8): the badges of everything that the person sees.
package struct BadgesQuery: Equatable, Sendable {
  /// The place behind which badges are wanted: the `after` of the answer before. Nil begins.
  package let after: StreamID?

  package init(after: StreamID? = nil) { self.after = after }
}

extension BadgesQuery {
  init(_ params: Params) throws(Refusal) {
    self.init(after: try params.has("after") ? params.stream("after", "cg") : nil)
  }

  func writeFields(to writer: inout JSONWriter) {
    if let after { writer.member("after", after) }
    writer.member("show", "mine")
  }
}
