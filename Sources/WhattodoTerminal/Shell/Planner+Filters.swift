import Client
import Domain
import Screen
import Sync
import Wire

// Plans for named views. They are kept in one's own `u:` stream; to show one, the server is asked for what it says.

extension Planner {
  func plan(_ action: FilterAction) throws(Problem) -> Plan {
    switch action {
    case .list: return .show(.filters)
    case .show(let name): return .send([try view(of: try filter(name))])
    case .look(let name): return .show(.value(.filter(try filter(name))))
    case .save(let name, let wish): return .send([try save(name, wish)])
    case .remove(let name):
      let filter = try filter(name)
      return .send([
        change(.filter(.remove(filter.id)), "the filter \(filter.name) is gone", told: true)
      ])
    }
  }

  private func filter(_ name: String) throws(Problem) -> Filter {
    let filter = situation.ownStream?.filters.first { $0.isCalled(name) }
    guard let filter else { throw Problem("no filter is called \(name); /filters shows them") }
    return filter
  }

  /// Saves a filter; an existing one of the same name is replaced.
  private func save(_ name: String, _ wish: FilterWish) throws(Problem) -> PlannedRequest {
    var criteria = wish.criteria
    var lists: [CategoryID] = []
    for list in wish.lists { lists.append(try situation.list(list).id) }
    if let word = wish.tag {
      let list = try situation.list(wish.lists.first)
      guard let tag = situation.tag(word, of: list) else {
        throw Problem("there is no tag +\(word) in \(list.tag)")
      }
      criteria.tag = tag.id
    }
    guard wish.sort != .position || lists.count == 1 else {
      throw Problem("one list has an order: name it (#list)")
    }
    let known = situation.ownStream?.filters.first { $0.isCalled(name) }
    let filter = Filter(
      id: known?.id ?? FilterID(Identifiers.make()), name: name, criteria, days: wish.days,
      in: lists.isEmpty ? nil : lists, sort: wish.sort)
    return change(
      .filter(.save(filter)), "the filter \(name) is saved: /filter \(name)",
      same: "the filter \(name) is like that already", told: true)
  }

  /// Asks for the posts of a filter. Lists that one is no longer in are left out, and archived ones, because the server
  /// shows nothing of them.
  private func view(of filter: Filter) throws(Problem) -> PlannedRequest {
    guard let today = situation.clock.today else { throw Problem("there is no such day") }
    let present = filter.categories?.filter { situation.streams[.category($0)] != nil }
    guard present != [] else { throw Problem("its lists are gone: /filter remove \(filter.name)") }
    let active = present?.filter { situation.streams[.category($0)]?.category?.archived == nil }
    guard active != [] else {
      throw Problem("its lists are archived: /unarchive #LIST opens them again")
    }
    let query = ViewQuery(
      filter.criteria(on: today.day), in: active, sort: filter.sort, zone: situation.clock.zone)
    return PlannedRequest(request: .query(.view(query)), report: .viewed)
  }
}
