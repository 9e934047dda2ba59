import Client
import Domain
import Screen
import Sync
import Wire

// Plans for invitations by code.
extension Planner {
  func errand(_ step: CodeStep) throws(Problem) -> Errand {
    switch step {
    case .make(let role, let uses, let place): try makeCode(role, uses: uses, to: place)
    case .join(let code): join(code)
    case .list(let place): try codes(of: place)
    case .revoke(let number, let place): try revokeCode(number, from: place)
    }
  }

  private func makeCode(
    _ role: Role, uses: Int, to reference: Reference?
  ) throws(Problem) -> Errand {
    let place = try situation.place(reference)
    let new = NewCode(role: role, uses: uses, days: Limits.codeDays)
    return Errand(
      request: .command(
        .makeCode(InvitationID(Identifiers.make()), place.stream, new), key: Identifiers.key()),
      report: .madeCode(place, uses: uses))
  }

  private func join(_ code: String) -> Errand {
    change(
      .redeemCode(CodeInHand(text: code)), "welcome", same: "you are in there already", told: true)
  }

  private func codes(of reference: Reference?) throws(Problem) -> Errand {
    let place = try situation.place(reference)
    return Errand(request: .query(.codes(place.stream)), report: .codes(place))
  }

  /// Asks the server for the codes, to find the one with this number.
  private func revokeCode(_ number: Int, from reference: Reference?) throws(Problem) -> Errand {
    let place = try situation.place(reference)
    return Errand(request: .query(.codes(place.stream)), report: .revokeCode(place, number))
  }
}

// Plans about the people who may not invite one.
extension Planner {
  func plan(_ step: ReachStep) throws(Problem) -> Plan {
    switch step {
    case .blocks: return .show(.blocks)
    case .block(let person):
      return .send([
        change(
          .blockPerson(username: person), "@\(person) cannot invite you any more",
          same: "@\(person) could not invite you anyway")
      ])
    case .unblock(let person):
      let block = situation.ownStream?.blocks.first { $0.username == person }
      guard let block else { throw Problem("@\(person) is not blocked; /block shows who is") }
      return .send([change(.unblockPerson(block.user), "@\(person) may invite you again")])
    }
  }
}
