/// The rights of a member in a category or a group, weakest first (DESIGN §3; the table is `Permission`).
///
/// Roles are compared by rank: the highest of several grants counts, and nobody grants a role above their own.
package enum Role: Int, CaseIterable, Comparable, Sendable {
  /// A viewer reads.
  case viewer = 10
  /// A commenter also talks.
  case commenter = 20
  /// A doer also completes, and reopens what they completed themselves; never edits.
  case doer = 30
  /// An editor also adds, edits and removes posts.
  case editor = 40
  /// An admin also lets people in, takes them out and gives roles up to their own.
  case admin = 50
  /// An owner also removes the whole place.
  case owner = 60

  package static func < (left: Role, right: Role) -> Bool { left.rawValue < right.rawValue }

  /// The word of the wire and of the screen.
  package var word: String {
    switch self {
    case .viewer: "viewer"
    case .commenter: "commenter"
    case .doer: "doer"
    case .editor: "editor"
    case .admin: "admin"
    case .owner: "owner"
    }
  }

  package init?(word: String) {
    guard let role = Role.allCases.first(where: { $0.word == word }) else { return nil }
    self = role
  }
}

/// The reasons why somebody is a member: an own invitation, the group that owns the category, or both.
package struct Grants: Equatable, Sendable {
  package var direct: Role?
  package var viaGroup: Role?
  /// The role that a member who is there through the group was given on top of it in the category itself. It ends with
  /// `viaGroup`, and is never there without it.
  package var raised: Role?

  package init(direct: Role? = nil, viaGroup: Role? = nil, raised: Role? = nil) {
    self.direct = direct
    self.viaGroup = viaGroup
    self.raised = raised
  }

  /// Whether some grant was given in the place itself, and can be taken away there.
  package var isGivenHere: Bool { direct != nil || raised != nil }

  /// The highest grant. Nil when none is left, so the person is no longer a member.
  package var role: Role? { [direct, viaGroup, raised].compactMap(\.self).max() }
}
