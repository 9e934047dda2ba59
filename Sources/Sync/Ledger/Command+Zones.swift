import Domain

// Domain's rules know no calendar, so the zones that a command names are checked before it is decided (protocol §8). A
// zone is written into the event, and those rules never look it up again.

extension Command {
  /// Returns a refusal when the command names a time zone that does not exist, and nil otherwise.
  func unknownZone(_ isZone: (String) -> Bool) -> Refusal? {
    if case .batch(let commands) = self {
      for (index, command) in commands.enumerated() {
        if let refusal = command.unknownZone(isZone) { return .inBatch(index: index, refusal) }
      }
    }
    guard let named = zone, !isZone(named.zone) else { return nil }
    return .invalid(field: named.field, reason: "names no time zone")
  }

  /// The zone that the command names itself, and the field that holds it.
  private var zone: (field: String, zone: String)? {
    switch self {
    case .account(.editProfile(let edit)): edit.zone.map { ("zone", $0) }
    case .bot(.add(let new)): ("zone", new.zone)
    case .category(.add(_, let new)): new.zone.map { ("zone", $0) }
    case .category(.edit(_, let edit)): edit.zone.map { ("zone", $0) }
    case .post(.add(_, let new)): new.fields.zone.map { ("due.zone", $0) }
    case .changePersonal(_, .plan(let plan?)): plan.time?.zone.map { ("plan.zone", $0) }
    case .post(.importUpsert(_, let item)): item.fields.zone.map { ("due.zone", $0) }
    case .post(.change(_, .edit(let edit), ifVersion: _)): edit.zone.map { ("due.zone", $0) }
    default: nil
    }
  }
}

extension PostEdit {
  fileprivate var zone: String? {
    guard case .set(let due) = due else { return nil }
    return due.zone
  }
}
