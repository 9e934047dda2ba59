import Client
import Domain
import Screen
import Sync
import Wire

// Plans for the people of lists and groups, and for how they come in.

extension Planner {
  func plan(_ action: PeopleAction) throws(Problem) -> Plan {
    switch action {
    case .invite(let person, let role, let place): .send([try invite(person, role, to: place)])
    case .revoke(let person, let place): .send([try revoke(person, from: place)])
    case .accept(let number): .send([try accept(number)])
    case .decline(let number): .send([try decline(number)])
    case .setRole(let person, let role, let place):
      .send([try setRole(of: person, to: role, in: place)])
    case .remove(let person, let place): .send([try remove(person, from: place)])
    case .leave(let place, let successor): .send([try leave(place, to: successor)])
    case .code(let step): .send([try request(step)])
    case .link(let step): .send([try request(step)])
    case .reach(let step): try plan(step)
    case .bot(let step): .send([try request(step)])
    }
  }

  private func invite(
    _ person: String, _ role: Role, to reference: Reference?
  ) throws(Problem) -> PlannedRequest {
    let place = try situation.place(reference)
    let members = situation.streams[place.stream]?.members ?? []
    if let there = members.first(where: { $0.username == person && $0.role != nil }) {
      throw Problem(
        there.id == situation.me
          ? "you are in \(place.label) already"
          : "@\(person) is in \(place.label) already: /role changes what they may do")
    }
    let id = InvitationID(Identifiers.make())
    return change(
      .invitation(.send(id, place.stream, username: person, role)),
      "@\(person) is invited to \(place.label)")
  }

  private func revoke(_ person: String, from reference: Reference?) throws(Problem)
    -> PlannedRequest
  {
    let place = try situation.place(reference)
    let sent = situation.streams[place.stream]?.invitations.first { $0.username == person }
    guard let sent else { throw Problem("@\(person) has no open invitation to \(place.label)") }
    return change(.invitation(.revoke(sent.id, place.stream)), "the invitation is taken back")
  }

  private func setRole(
    of person: String, to role: Role, in reference: Reference?
  ) throws(Problem) -> PlannedRequest {
    let (place, member) = try member(person, of: reference)
    return change(
      .member(.setRole(place.stream, member.id, role)),
      "@\(person) is \(role.word) of \(place.label) now")
  }

  private func remove(_ person: String, from reference: Reference?) throws(Problem)
    -> PlannedRequest
  {
    let (place, member) = try member(person, of: reference)
    return change(
      .member(.remove(place.stream, member.id)), "@\(person) is no longer in \(place.label)")
  }

  func member(
    _ person: String, of reference: Reference?
  ) throws(Problem) -> (ListOrGroup, Member) {
    let place = try situation.place(reference)
    let member = situation.streams[place.stream]?.members.first { $0.username == person }
    guard let member else { throw Problem("@\(person) is not in \(place.label)") }
    return (place, member)
  }

  private func leave(
    _ reference: Reference?, to successor: String?
  ) throws(Problem) -> PlannedRequest {
    guard let successor else {
      let place = try situation.place(reference)
      return change(.member(.leave(place.stream)), "you left \(place.label)")
    }
    let (place, member) = try member(successor, of: reference)
    return change(
      .member(.leave(place.stream, successor: member.id)),
      "you left \(place.label) to @\(successor)")
  }
}

// MARK: Invitations to oneself

extension Planner {
  private func accept(_ number: Int?) throws(Problem) -> PlannedRequest {
    let invitation = try invitation(number, "accept")
    return change(.invitation(.accept(invitation.id)), "welcome to \(invitation.label)", told: true)
  }

  private func decline(_ number: Int?) throws(Problem) -> PlannedRequest {
    let invitation = try invitation(number, "decline")
    return change(
      .invitation(.decline(invitation.id)), "invitation to \(invitation.label) declined", told: true
    )
  }

  private func invitation(_ number: Int?, _ verb: String) throws(Problem) -> Invitation {
    let all = situation.invitations
    guard let number else {
      guard let only = all.first else { throw Problem("nobody has invited you") }
      guard all.count == 1 else {
        throw Problem("there are \(all.count) invitations (/lists): /\(verb) NUMBER")
      }
      return only
    }
    guard let invitation = situation.shown.invitations.pick(number, among: all) else {
      throw Problem("there is no invitation \(number)")
    }
    return invitation
  }
}

extension Invitation {
  /// The place to which it invites, as the screen writes it.
  var label: String {
    switch stream {
    case .category: "#" + streamName.oneWord
    case .group, .user: streamName
    }
  }
}

// MARK: Codes

extension Planner {
  private func request(_ step: CodeStep) throws(Problem) -> PlannedRequest {
    switch step {
    case .make(let role, let uses, let place): try makeCode(role, uses: uses, to: place)
    case .join(let code): join(code)
    case .list(let place): try codes(of: place)
    case .revoke(let number, let place): try revokeCode(number, from: place)
    }
  }

  private func makeCode(
    _ role: Role, uses: Int, to reference: Reference?
  ) throws(Problem) -> PlannedRequest {
    let place = try situation.place(reference)
    let new = NewCode(role: role, uses: uses, days: Limits.codeDays)
    return PlannedRequest(
      request: .command(
        .invitation(.makeCode(InvitationID(Identifiers.make()), place.stream, new)),
        key: Identifiers.key()),
      report: .madeCode(place, uses: uses))
  }

  private func join(_ code: String) -> PlannedRequest {
    change(
      .invitation(.redeem(CodeInHand(text: code))), "welcome", same: "you are in there already",
      told: true)
  }

  private func codes(of reference: Reference?) throws(Problem) -> PlannedRequest {
    let place = try situation.place(reference)
    return PlannedRequest(request: .query(.codes(place.stream)), report: .codes(place))
  }

  /// Asks the server for the codes, to find the one with this number.
  private func revokeCode(_ number: Int, from reference: Reference?) throws(Problem)
    -> PlannedRequest
  {
    let place = try situation.place(reference)
    return PlannedRequest(request: .query(.codes(place.stream)), report: .revokeCode(place, number))
  }
}

// MARK: Blocks

extension Planner {
  private func plan(_ step: ReachStep) throws(Problem) -> Plan {
    switch step {
    case .blocks: return .show(.blocks)
    case .block(let person):
      return .send([
        change(
          .person(.block(username: person)), "@\(person) cannot invite you any more",
          same: "@\(person) could not invite you anyway")
      ])
    case .unblock(let person):
      let block = situation.ownStream?.blocks.first { $0.username == person }
      guard let block else { throw Problem("@\(person) is not blocked; /block shows who is") }
      return .send([change(.person(.unblock(block.user)), "@\(person) may invite you again")])
    }
  }
}
