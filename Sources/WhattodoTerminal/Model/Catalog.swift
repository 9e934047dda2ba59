import Domain

/// A list or a group that a person named.
enum ListOrGroup: Equatable {
  case list(Category)
  case group(Group)

  var stream: StreamID {
    switch self {
    case .list(let category): .category(category.id)
    case .group(let group): .group(group.id)
    }
  }

  /// The place as it is written on the screen: `#groceries`, or the name of the group.
  var label: String {
    switch self {
    case .list(let category): category.tag
    case .group(let group): group.name
    }
  }
}

/// A person's lists and groups in the order and with the numbers of `/lists`: lists from 1, then groups by name.
struct Catalog {
  /// The lists in the person's order. Lists that the person's own stream does not know follow, by name.
  let lists: [Category]
  let groups: [Group]
  /// The archived lists by name; they have no number.
  let archived: [Category]
  /// The removed lists, the last removed first.
  private let removed: [Category]
  /// The removed groups, only for bringing them back. The first removed is number 1 of `/bin lists`.
  let removedGroups: [Group]
  /// The places that the numbers of `/lists` stood for when it was shown.
  private let shown: ShownOrder<ListOrGroup>
  /// The groups that the numbers of `/bin lists` stood for when it was shown.
  private let shownRemovedGroups: ShownOrder<Group>

  /// Sorts the streams into places. `own` is the person's own stream, which has the order of the lists.
  init(
    _ streams: [StreamID: StreamState], own: StreamState?,
    shown: ShownNumbers = ShownNumbers()
  ) {
    self.shown = shown.places
    shownRemovedGroups = shown.removedGroups
    let present = streams.values.compactMap(\.category).filter { $0.removed == nil }
      .sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
    let active = present.filter { $0.archived == nil }
    lists = (own?.listsInOrder ?? []).ordering(active) { $0.id }
    archived = present.filter { $0.archived != nil }
    removed = streams.values.compactMap(\.category).filter { $0.removed != nil }
      .sorted { ($0.removed?.at ?? $0.added.at, $0.id) > ($1.removed?.at ?? $1.added.at, $1.id) }
    let all = streams.values.compactMap(\.group)
      .sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
    groups = all.filter { $0.removed == nil }
    removedGroups = all.filter { $0.removed != nil }.sorted {
      ($0.removed?.at ?? $0.added.at, $0.id) < ($1.removed?.at ?? $1.added.at, $1.id)
    }
  }

  /// Finds a list. An archived list is found by its whole name, because it is read, left and removed like any other.
  func list(_ reference: Reference) throws(Problem) -> Category {
    if let archived = archived(named: reference) { return archived }
    return try active(reference)
  }

  /// Finds a list that is not archived.
  func active(_ reference: Reference) throws(Problem) -> Category {
    guard case .list(let category) = try find(reference, among: lists.map { .list($0) }, "list")
    else { throw Problem("\(reference.text) is not a list") }
    return category
  }

  /// Returns the archived list with exactly this name; nil when a list that is not archived has it.
  private func archived(named reference: Reference) -> Category? {
    lists.contains { $0.name.slug == reference.text.slug } ? nil : newestArchived(reference)
  }

  /// Returns the archived list with this name; among several the one that was archived last.
  private func newestArchived(_ reference: Reference) -> Category? {
    archived.filter { $0.name.slug == reference.text.slug }.max { one, other in
      guard let first = one.archived?.at, let second = other.archived?.at, first != second else {
        return one.id < other.id
      }
      return first < second
    }
  }

  /// Finds a list, also a removed one by its whole name, so that what was done there can be taken back.
  func anyList(_ reference: Reference) throws(Problem) -> Category {
    let isThere = (lists + archived).contains { $0.name.slug == reference.text.slug }
    if !isThere, let removed = removed.first(where: { $0.name.slug == reference.text.slug }) {
      return removed
    }
    return try list(reference)
  }

  /// Finds an archived list by its name.
  func archivedList(_ reference: Reference) throws(Problem) -> Category {
    if let newest = newestArchived(reference) { return newest }
    let places = archived.map { ListOrGroup.list($0) }
    let named = Reference("#" + reference.text)
    guard case .list(let category) = try find(named, among: places, "archived list") else {
      throw Problem("\(reference.text) is not a list")
    }
    return category
  }

  func group(_ reference: Reference) throws(Problem) -> Group {
    let places = groups.map { ListOrGroup.group($0) }
    guard !reference.isList, case .group(let group) = try find(reference, among: places, "group")
    else { throw Problem("\(reference.text) is not a group") }
    return group
  }

  /// Finds a group by its whole name or its number; nil when there is none.
  func knownGroup(_ reference: Reference) throws(Problem) -> Group? {
    let numbered = Int(reference.text).flatMap { shown.pick($0, among: places) }
    let isNumbered = if case .group? = numbered { true } else { false }
    guard isNumbered || groups.contains(where: { $0.isCalled(reference.text) }) else { return nil }
    return try group(reference)
  }

  func removedGroup(_ reference: Reference) throws(Problem) -> Group {
    let called = removedGroups.filter { $0.isCalled(reference.text) }
    if let only = called.first, called.count == 1 { return only }
    guard called.isEmpty else {
      throw Problem(
        "several removed groups are called \(reference.text): "
          + "/group restore NUMBER, as /bin lists says")
    }
    if let number = Int(reference.text) {
      guard let group = shownRemovedGroups.pick(number, among: removedGroups) else {
        throw Problem("there is no removed group \(number); /bin lists shows them")
      }
      return group
    }
    throw Problem("no removed group is called \(reference.text); /bin lists shows them")
  }

  /// Finds a list or a group; when both have the name, the list.
  func place(_ reference: Reference) throws(Problem) -> ListOrGroup {
    if reference.isList { return .list(try list(reference)) }
    let isGroup = groups.contains { $0.name.slug == reference.text.slug }
    if !isGroup, let archived = archived(named: reference) { return .list(archived) }
    return try find(reference, among: places, "list or group")
  }

  /// Returns the number of the place in `/lists` as it was shown.
  func number(of place: ListOrGroup) -> Int { shown.number(of: place, among: places) }

  /// The lists and groups in the order of their numbers.
  var places: [ListOrGroup] { lists.map { .list($0) } + groups.map { .group($0) } }

  /// Finds a place by its name, its number in `/lists`, or the beginning of a name that no other place shares.
  private func find(
    _ reference: Reference, among candidates: [ListOrGroup], _ noun: String
  ) throws(Problem) -> ListOrGroup {
    let wanted = reference.text.slug
    let equal = candidates.filter { $0.slug == wanted }
    if let found = equal.first {
      let isClear =
        equal.count == 1 || equal.map(\.kind) != Array(repeating: found.kind, count: equal.count)
      guard isClear else {
        throw Problem("several are called \(reference.text): use the number of /lists")
      }
      return found
    }
    if !reference.isList, let number = Int(reference.text) {
      guard let found = shown.pick(number, among: places),
        candidates.contains(where: { $0.stream == found.stream })
      else { throw Problem("there is no \(noun) number \(number); /lists shows them") }
      return found
    }
    let begun = candidates.filter { $0.slug.hasPrefix(wanted) }
    guard !wanted.isEmpty, let found = begun.first else {
      throw Problem("no \(noun) is called \(reference.text); /lists shows them")
    }
    guard begun.count == 1 else {
      throw Problem(
        "\(reference.text) could be \(begun.prefix(4).map(\.label).joined(separator: ", "))")
    }
    return found
  }
}

extension ListOrGroup {
  fileprivate var kind: Int {
    switch self {
    case .list: 0
    case .group: 1
    }
  }

  fileprivate var slug: String {
    switch self {
    case .list(let category): category.name.slug
    case .group(let group): group.name.slug
    }
  }
}

extension Category {
  /// The name of the list as one word that can be typed: `#big-shop` for "Big shop".
  var tag: String { "#" + name.oneWord }
}

extension Tag {
  /// The tag as it is written in a line: `+uni`.
  var word: String { "+" + name.oneWord }

  func isCalled(_ word: String) -> Bool { name.slug == word.slug }
}

extension String {
  /// The text with hyphens instead of blanks.
  var oneWord: String { split(whereSeparator: \.isWhitespace).joined(separator: "-") }
  fileprivate var slug: String { oneWord.lowercased() }
}
