import Domain

/// The token that a person wants for a bot: `ci server #builds report 90`.
struct TokenWish: Equatable {
  /// The name by which the owner knows the token.
  let name: String
  /// The lists that it is for; empty for all that the bot is in.
  let lists: [Reference]
  let scope: Scope?
  let days: Int

  /// The two usual choices of methods. Everything else is for programs that call `token.add` themselves.
  enum Scope: String, CaseIterable {
    /// The program only looks.
    case look
    /// The program tells how its work goes: it adds posts, completes them, and has runs.
    case report
  }

  /// Reads the words behind the bot. Nil when they are no such wish.
  init?(_ words: inout Words) {
    var name: [String] = []
    var lists: [Reference] = []
    var scope: Scope?
    var days: Int?
    while !words.isAtEnd {
      if let list = words.reference() {
        lists.append(list)
      } else if !name.isEmpty, days == nil, let number = words.number() {
        days = number
      } else if let word = words.next() {
        if let known = Scope(rawValue: word), !name.isEmpty, scope == nil {
          scope = known
        } else {
          guard lists.isEmpty, scope == nil, days == nil else { return nil }
          name.append(word)
        }
      }
    }
    let count = days ?? Limits.tokenDaysMax
    guard !name.isEmpty, (1...Limits.tokenDaysMax).contains(count),
      lists.count <= Limits.tokenListsMax
    else { return nil }
    self.name = name.joined(separator: " ")
    self.lists = lists
    self.scope = scope
    self.days = count
  }
}

extension TokenWish.Scope {
  /// The methods that a token of this choice allows.
  var methods: Set<Method> {
    let looks = Method.allCases.filter {
      if case .query = $0 { $0.row.isOpenToTokens } else { false }
    }
    switch self {
    case .look: return Set(looks)
    case .report:
      return Set(looks + RunMethod.allCases.map { .run($0) }).union([
        .post(.add), .post(.importUpsert), .post(.edit), .post(.complete), .post(.reopen),
        .step(.complete), .moment(.progress),
      ])
    }
  }

  /// Finds the choice of these methods; nil when it is another.
  init?(_ methods: Set<Method>) {
    guard let scope = Self.allCases.first(where: { $0.methods == methods }) else { return nil }
    self = scope
  }
}
