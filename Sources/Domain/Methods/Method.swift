/// A request of the protocol (protocol §8). A family has its methods, their names on the wire and their rows in a file
/// of its own. The specification, the schemas and the vectors are compared with these.
package enum Method: Hashable, Sendable {
  case connection(ConnectionMethod)
  case signIn(SignInMethod)
  case query(QueryMethod)
  case moment(MomentMethod)

  case account(AccountMethod)
  case category(CategoryMethod)
  case post(PostMethod)
  case step(StepMethod)
  case run(RunMethod)
  case contest(ContestMethod)
  case tag(TagMethod)
  case personal(PersonalMethod)
  case group(GroupMethod)
  case invitation(InvitationMethod)
  case person(PersonMethod)
  case member(MemberMethod)
  case link(LinkMethod)
  case filter(FilterMethod)
  case bot(BotMethod)
  case line(LineMethod)
  case single(SingleMethod)
}

extension Method: CaseIterable {
  package static let allCases: [Method] =
    ConnectionMethod.allCases.map { .connection($0) } + SignInMethod.allCases.map { .signIn($0) }
    + QueryMethod.allCases.map { .query($0) } + MomentMethod.allCases.map { .moment($0) }
    + AccountMethod.allCases.map { .account($0) } + CategoryMethod.allCases.map { .category($0) }
    + PostMethod.allCases.map { .post($0) } + StepMethod.allCases.map { .step($0) }
    + RunMethod.allCases.map { .run($0) } + ContestMethod.allCases.map { .contest($0) }
    + TagMethod.allCases.map { .tag($0) }
    + PersonalMethod.allCases.map { .personal($0) }
    + GroupMethod.allCases.map { .group($0) } + InvitationMethod.allCases.map { .invitation($0) }
    + PersonMethod.allCases.map { .person($0) } + MemberMethod.allCases.map { .member($0) }
    + LinkMethod.allCases.map { .link($0) } + FilterMethod.allCases.map { .filter($0) }
    + BotMethod.allCases.map { .bot($0) } + LineMethod.allCases.map { .line($0) }
    + SingleMethod.allCases.map { .single($0) }
}

extension Method {
  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  /// Finds the method with this name on the wire, such as `post.add`. Nil when there is none.
  package init?(named name: String) {
    guard let method = Self.byName[name] else { return nil }
    self = method
  }

  private var family: any MethodFamily {
    switch self {
    case .connection(let it): it
    case .signIn(let it): it
    case .query(let it): it
    case .moment(let it): it
    case .account(let it): it
    case .category(let it): it
    case .post(let it): it
    case .step(let it): it
    case .run(let it): it
    case .contest(let it): it
    case .tag(let it): it
    case .personal(let it): it
    case .group(let it): it
    case .invitation(let it): it
    case .person(let it): it
    case .member(let it): it
    case .link(let it): it
    case .filter(let it): it
    case .bot(let it): it
    case .line(let it): it
    case .single(let it): it
    }
  }

  /// The name on the wire, such as `post.add`.
  package var name: String { family.rawValue }

  package var row: MethodRow { family.row }
}

/// The methods of one family.
package protocol MethodFamily: RawRepresentable, CaseIterable, Hashable, Sendable
where RawValue == String {
  var row: MethodRow { get }
}

extension Method: CustomStringConvertible {
  package var description: String { name }
}
