import Testing

@testable import Domain

// Parts that the tests of bots, of their places and of their tokens share.
extension Scene {
  mutating func addBot(_ bot: UserID, _ username: String, of owner: UserID) {
    must(.bot(.add(NewBot(id: bot, username: username, name: username, zone: "UTC"))), by: owner)
  }

  /// Registers the bot e, which has a password and no owner.
  mutating func registerProgram() {
    let registration = Registration(
      id: "e", username: "program", name: "Program", zone: "UTC",
      password: PasswordHash(phc: "$e"), code: nil, kind: .bot)
    must(.account(.register(registration)), by: "e")
  }

  /// Sends an invitation. An own bot is a member by it at once.
  @discardableResult
  mutating func invite(
    _ username: String, to stream: StreamID, as role: Role, by sender: UserID, number: Int
  ) -> Decision {
    must(
      .invitation(.send(InvitationID(number), stream, username: username, role)), by: sender)
  }

  /// Makes a token, whose id and session are named by the number.
  @discardableResult
  mutating func addToken(
    _ number: Int, to bot: UserID, by owner: UserID, days: Int = 30
  ) -> TokenID {
    let id = TokenID(UUID(high: 7, low: UInt64(number)))
    must(.bot(.addToken(bot, id, NewToken(name: "token \(number)", days: days))), by: owner)
    return id
  }

  /// Lets somebody own a bot, in the operator's name.
  @discardableResult
  mutating func giveAsOperator(_ bot: UserID, to owner: UserID) throws -> Decision {
    let decision = try answered { world throws(Halt) in
      try Domain.give(bot, to: owner, in: &world)
    }.get()
    carryOut(decision, by: bot)
    return decision
  }

  /// Ends an account whose time has come, in all its parts, and returns the dropped streams.
  @discardableResult
  mutating func finish(_ user: UserID) -> Set<StreamID> {
    var dropped: Set<StreamID> = []
    let now = now
    for _ in 0..<20 where !dropped.contains(.user(user)) {
      let part = answered { world throws(Halt) in
        try Domain.end(user, leaving: "mark of \(user)", at: now, in: &world)
      }
      guard case .success(let decision) = part else {
        Issue.record("\(part)")
        return dropped
      }
      carryOut(decision, by: user)
      dropped.formUnion(decision.dropped)
    }
    return dropped
  }
}
