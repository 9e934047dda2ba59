package import Domain

/// Every kind of op by its word on the wire, member `t` (protocol §7). A family of ops has its kinds beside its codec.
package enum OpKind: Hashable, Sendable {
  case category(CategoryOp.Kind)
  case post(PostOp.Kind)
  case step(StepOp.Kind)
  case mark(PostMark.Kind)
  case overdue(OverdueMark.Kind)
  case claim(ClaimOp.Kind)
  case run(RunOp.Kind)
  case contest(ContestOp.Kind)
  case tag(TagOp.Kind)
  case group(GroupOp.Kind)
  case member(MemberOp.Kind)
  case person(PersonOp.Kind)
  case invitation(InvitationOp.Kind)
  case code(CodeOp.Kind)
  case reaction(ReactionOp.Kind)
  case line(LineOp.Kind)
  case link(LinkOp.Kind)
  case account(AccountOp.Kind)
  case membership(MembershipOp.Kind)
  case block(BlockOp.Kind)
  case filter(FilterOp.Kind)
  case personal(PersonalOp.Kind)

  /// The kind of the op; nil when this version does not know it.
  package init?(_ op: Op) {
    switch op {
    case .category(let op): self = .category(op.kind)
    case .post(let op): self = op.kind
    case .tag(let op): self = .tag(op.kind)
    case .group(let op): self = .group(op.kind)
    case .member(let op): self = .member(op.kind)
    case .person(let op): self = .person(op.kind)
    case .invitation(let op): self = .invitation(op.kind)
    case .code(let op): self = .code(op.kind)
    case .reaction(let op): self = .reaction(op.kind)
    case .line(let op): self = .line(op.kind)
    case .link(let op): self = .link(op.kind)
    case .account(let op): self = .account(op.kind)
    case .membership(let op): self = .membership(op.kind)
    case .block(let op): self = .block(op.kind)
    case .filter(let op): self = .filter(op.kind)
    case .personal(let op): self = .personal(op.kind)
    case .unknown: return nil
    }
  }
}

extension OpKind: RawRepresentable {
  private static let byWord = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  package init?(rawValue: String) {
    guard let kind = Self.byWord[rawValue] else { return nil }
    self = kind
  }

  package var rawValue: String {
    switch self {
    case .category(let kind): kind.rawValue
    case .post(let kind): kind.rawValue
    case .step(let kind): kind.rawValue
    case .mark(let kind): kind.rawValue
    case .overdue(let kind): kind.rawValue
    case .claim(let kind): kind.rawValue
    case .run(let kind): kind.rawValue
    case .contest(let kind): kind.rawValue
    case .tag(let kind): kind.rawValue
    case .group(let kind): kind.rawValue
    case .member(let kind): kind.rawValue
    case .person(let kind): kind.rawValue
    case .invitation(let kind): kind.rawValue
    case .code(let kind): kind.rawValue
    case .reaction(let kind): kind.rawValue
    case .line(let kind): kind.rawValue
    case .link(let kind): kind.rawValue
    case .account(let kind): kind.rawValue
    case .membership(let kind): kind.rawValue
    case .block(let kind): kind.rawValue
    case .filter(let kind): kind.rawValue
    case .personal(let kind): kind.rawValue
    }
  }
}

extension OpKind: CaseIterable {
  /// All kinds, in the order of the specification.
  package static let allCases: [OpKind] =
    CategoryOp.Kind.allCases.map { .category($0) } + PostOp.Kind.allCases.map { .post($0) }
    + StepOp.Kind.allCases.map { .step($0) } + PostMark.Kind.allCases.map { .mark($0) }
    + OverdueMark.Kind.allCases.map { .overdue($0) } + ClaimOp.Kind.allCases.map { .claim($0) }
    + RunOp.Kind.allCases.map { .run($0) } + ContestOp.Kind.allCases.map { .contest($0) }
    + ReactionOp.Kind.allCases.map { .reaction($0) } + LineOp.Kind.allCases.map { .line($0) }
    + TagOp.Kind.allCases.map { .tag($0) } + GroupOp.Kind.allCases.map { .group($0) }
    + MemberOp.Kind.allCases.map { .member($0) } + PersonOp.Kind.allCases.map { .person($0) }
    + InvitationOp.Kind.allCases.map { .invitation($0) } + CodeOp.Kind.allCases.map { .code($0) }
    + LinkOp.Kind.allCases.map { .link($0) } + AccountOp.Kind.allCases.map { .account($0) }
    + MembershipOp.Kind.allCases.map { .membership($0) }
    + BlockOp.Kind.allCases.map { .block($0) }
    + FilterOp.Kind.allCases.map { .filter($0) } + PersonalOp.Kind.allCases.map { .personal($0) }
}
