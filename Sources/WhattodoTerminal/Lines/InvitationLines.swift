// Lines about invitations: when they happen, and below the members of a place.

import Client
import Domain
import Screen

extension EventLines {
  /// Returns the line of an invitation, also of one by code.
  func invitationLine(
    _ op: Op, _ applied: AppliedEvent, _ who: Who, _ place: String
  ) -> Line? {
    switch op {
    case .invitation(.sent(let it)):
      return who.line("→", .accent, "invited @\(it.username) to \(place) as \(it.role.word)")
    case .invitation(.declined(let id)):
      guard let it = invitation(id, applied) else {
        return Line("an invitation to \(place) was declined", .dim)
      }
      return Line("@\(it.username)", .strong).and(" declined the invitation to \(place)")
    case .invitation(.revoked(let id)):
      let whose = whose(invitation(id, applied), to: place)
      guard applied.event.by != nil else { return Line("\(whose) was taken back", .dim) }
      return who.line("✘", .bad, "took \(whose) back")
    case .invitation(.expired(let id)):
      return Line("\(whose(invitation(id, applied), to: place)) is over", .dim)
    case .code(.made(let code)):
      return who.line(
        "→", .accent, "made a code that lets \(code.uses) into \(place) as \(code.role.word)")
    case .code(.ended): return Line("a code to \(place) is over", .dim)
    default: return nil
    }
  }

  private func whose(_ invitation: Invitation?, to place: String) -> String {
    guard let invitation else { return "an invitation to \(place)" }
    return "the invitation of @\(invitation.username) to \(place)"
  }

  /// Returns the line of an invitation that came to oneself.
  func ownInvitationLine(_ op: Op, _ applied: AppliedEvent) -> Line? {
    switch op {
    case .invitation(.revoked(let id)): Line("\(ownWhose(id, applied)) was taken back", .dim)
    case .invitation(.expired(let id)): Line("\(ownWhose(id, applied)) is over", .dim)
    default: nil
    }
  }

  private func ownWhose(_ id: InvitationID, _ applied: AppliedEvent) -> String {
    guard let it = invitation(id, applied) else { return "an invitation to you" }
    return "the invitation of @\(it.senderUsername) to \(it.label)"
  }

  /// Returns the invitation before the event; nil when it is not known.
  private func invitation(_ id: InvitationID, _ applied: AppliedEvent) -> Invitation? {
    for case .invitation(let it)? in applied.changes.map(\.before) where it.id == id { return it }
    for event in past ?? [] {
      for case .invitation(.sent(let it)) in event.ops where it.id == id { return it }
    }
    return nil
  }
}

extension Line {
  static func invitation(_ invitation: Invitation) -> Line {
    Line("→ ", .accent, hang: 2).and("@\(invitation.senderUsername)", .strong)
      .and(" invites you to \(invitation.label) as \(invitation.role.word): /accept or /decline")
  }
}

extension ListLines {
  /// Returns the lines below `/who`: `@guest  invited as doer by @editor`.
  static func invited(to place: ListOrGroup, _ situation: Situation) -> [Line] {
    let sent = situation.streams[place.stream]?.invitations ?? []
    return sent.map { it in
      var line = Line("@\(it.username)", .strong).and("  invited as \(it.role.word) by ", .dim)
      line.add("@\(it.senderUsername)", .dim)
      return it.isOver(at: situation.clock.now) ? line.and(", expired", .dim) : line
    }
  }
}
