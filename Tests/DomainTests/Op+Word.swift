import Domain

extension Op {
  /// The family of the op and its case in there, as "post.edited"; for an op without a family its own case.
  var word: String {
    switch self {
    case .post(.step(_, _, let op)): "step." + Self.name(of: op)
    case .post(let op): "post." + Self.name(of: op)
    case .category(let op): "category." + Self.name(of: op)
    case .tag(let op): "tag." + Self.name(of: op)
    default: Self.name(of: self)
    }
  }

  private static func name(of value: some Any) -> String {
    String("\(value)".prefix { $0 != "(" })
  }
}
