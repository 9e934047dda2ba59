import Client
import Domain
import Screen
import Sync
import Wire

// Plans for whole lists.

extension Planner {
  func plan(_ action: ListAction) throws(Problem) -> Plan {
    switch action {
    case .open(let list): .open(try situation.catalog.list(list))
    case .new(let name, let group): .send([try newList(name, in: group)])
    case .rename(let list, let name): .send([try rename(list, to: name)])
    case .edit(let list, let edit): .send([try self.edit(list: list, edit)])
    case .copy(let list, let wish): .send(try copy(list: list, wish))
    case .move(let lists, let place): .send([try move(lists: lists, to: place)])
    case .archive(let list): .send([try archive(list)])
    case .unarchive(let list): .send([try unarchive(list)])
    case .remove(let list): .send([try removeList(list)])
    case .restore(let lists):
      .send([PlannedRequest(request: .query(.removedCategories), report: .restoreLists(lists))])
    }
  }

  private func newList(_ name: String, in reference: Reference?) throws(Problem) -> PlannedRequest {
    let group: GroupID? =
      if let reference { try situation.catalog.group(reference).id } else { nil }
    let id = CategoryID(Identifiers.make())
    return PlannedRequest(
      request: .command(.category(.add(id, name: name, group: group)), key: Identifiers.key()),
      report: .addedList(id, name: name))
  }

  private func rename(_ reference: Reference?, to name: String) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    return change(.category(.edit(list.id, name: name)), "\(list.tag) is \(name) now")
  }

  private func removeList(_ reference: Reference) throws(Problem) -> PlannedRequest {
    let list = try situation.catalog.list(reference)
    return change(
      .category(.remove(list.id)), "\(list.tag) is removed; /restore \(list.tag) brings it back")
  }

  /// Edits a list: its zone, its color.
  private func edit(
    list reference: Reference?, _ edit: CategoryEdit
  ) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    return change(
      .category(.edit(list.id, edit)), EventLines.what(edit, list.tag) ?? "",
      same: "\(list.tag) is like that already")
  }

  private func archive(_ reference: Reference) throws(Problem) -> PlannedRequest {
    let list = try situation.catalog.list(reference)
    return change(
      .category(.archive(list.id)), "\(list.tag) is archived; /unarchive \(list.tag) opens it again"
    )
  }

  private func unarchive(_ reference: Reference) throws(Problem) -> PlannedRequest {
    let list = try situation.catalog.archivedList(reference)
    return change(.category(.unarchive(list.id)), "\(list.tag) is open again")
  }
}
