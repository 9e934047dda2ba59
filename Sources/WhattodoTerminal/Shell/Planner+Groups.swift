import Client
import Domain
import Screen
import Sync

extension Planner {
  func plan(_ action: GroupAction) throws(Problem) -> Plan {
    switch action {
    case .named(let name): try group(name)
    case .new(let name): .send([newGroup(name)])
    case .rename(let group, let name): .send([try rename(group: group, to: name)])
    case .remove(let group): .send([try removeGroup(group)])
    case .restore(let group): .send([try restoreGroup(group)])
    }
  }

  /// Shows the group of this name, or makes one. A name that is taken means the existing group, not a second one of
  /// that name.
  private func group(_ name: String) throws(Problem) -> Plan {
    let catalog = situation.catalog
    if let group = try catalog.knownGroup(Reference(name)) { return .show(.group(group)) }
    if let removed = catalog.removedGroups.first(where: { $0.isCalled(name) }) {
      throw Problem(
        "\(removed.name) is removed: /group restore \(removed.name.oneWord) brings it back, "
          + "/group new \(name) makes another")
    }
    guard Int(name) == nil else {
      throw Problem(
        "there is no group number \(name); /lists shows them, /group new \(name) makes one of "
          + "that name")
    }
    return .send([newGroup(name)])
  }

  private func newGroup(_ name: String) -> PlannedRequest {
    change(.group(.add(GroupID(Identifiers.make()), name: name)), "new group \(name)")
  }

  private func rename(group reference: Reference, to name: String) throws(Problem) -> PlannedRequest
  {
    let group = try situation.catalog.group(reference)
    return change(.group(.edit(group.id, name: name)), "\(group.name) is \(name) now")
  }

  private func removeGroup(_ reference: Reference) throws(Problem) -> PlannedRequest {
    let group = try situation.catalog.group(reference)
    return change(
      .group(.remove(group.id)),
      "\(group.name) is removed; /group restore \(group.name.oneWord) brings it back")
  }

  private func restoreGroup(_ reference: Reference) throws(Problem) -> PlannedRequest {
    let group = try situation.catalog.removedGroup(reference)
    return change(.group(.restore(group.id)), "\(group.name) is back")
  }
}

extension Group {
  func isCalled(_ name: String) -> Bool {
    self.name.oneWord.lowercased() == name.oneWord.lowercased()
  }
}
