import Domain

/// A list or a group that a person named.
enum Place: Equatable {
  case list(Category)
  case group(Group)

  var stream: StreamID {
    switch self {
    case .list(let category): .category(category.id)
    case .group(let group): .group(group.id)
    }
  }

  /// As it is written on the screen: `#groceries`, or the group's name.
  var label: String {
    switch self {
    case .list(let category): category.tag
    case .group(let group): group.name
    }
  }
}

/// A person's lists and groups in the order and with the numbers of `/lists`: lists from 1, then groups by name.
struct Catalog {
  /// In their person's order; those of which the own stream does not know, behind, by name.
  let lists: [Category]
  let groups: [Group]
  /// By name; they have no number.
  let archived: [Category]
  /// The one that was removed last first.
  private let removed: [Category]
  /// Only for bringing them back; the one that was removed first is number 1 of `/bin lists`.
  let removedGroups: [Group]
  /// What the numbers of `/lists` stood for when it was shown.
  private let shown: ShownOrder<Place>
  /// The numbers of groups in `/bin lists`, as they were shown.
  private let shownRemovedGroups: ShownOrder<Group>

  /// `own`: the person's own stream, which has the order of the lists.
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

  /// Also one that is archived, by its whole name: it is read, left and removed as any other.
  func list(_ reference: Reference) throws(Problem) -> Category {
    if let archived = archived(named: reference) { return archived }
    return try active(reference)
  }

  /// One that is not archived.
  func active(_ reference: Reference) throws(Problem) -> Category {
    guard case .list(let category) = try find(reference, among: lists.map { .list($0) }, "list")
    else { throw Problem("\(reference.text) is not a list") }
    return category
  }

  /// One that is archived and called exactly so, when no other is.
  private func archived(named reference: Reference) -> Category? {
    lists.contains { $0.name.slug == reference.text.slug } ? nil : newestArchived(reference)
  }

  /// Of several that are called so, the one that was put away last.
  private func newestArchived(_ reference: Reference) -> Category? {
    archived.filter { $0.name.slug == reference.text.slug }.max { one, other in
      guard let first = one.archived?.at, let second = other.archived?.at, first != second else {
        return one.id < other.id
      }
      return first < second
    }
  }

  /// Also one that is removed, by its whole name: for what was done there to be taken back.
  func anyList(_ reference: Reference) throws(Problem) -> Category {
    let isThere = (lists + archived).contains { $0.name.slug == reference.text.slug }
    if !isThere, let removed = removed.first(where: { $0.name.slug == reference.text.slug }) {
      return removed
    }
    return try list(reference)
  }

  /// One that is archived, by its name.
  func archivedList(_ reference: Reference) throws(Problem) -> Category {
    if let newest = newestArchived(reference) { return newest }
    let places = archived.map { Place.list($0) }
    let named = Reference("#" + reference.text)
    guard case .list(let category) = try find(named, among: places, "archived list") else {
      throw Problem("\(reference.text) is not a list")
    }
    return category
  }

  func group(_ reference: Reference) throws(Problem) -> Group {
    let places = groups.map { Place.group($0) }
    guard !reference.isList, case .group(let group) = try find(reference, among: places, "group")
    else { throw Problem("\(reference.text) is not a group") }
    return group
  }

  /// By its whole name or its number; nil when there is none.
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

  /// A list or a group; of the same name, the list.
  func place(_ reference: Reference) throws(Problem) -> Place {
    if reference.isList { return .list(try list(reference)) }
    let isGroup = groups.contains { $0.name.slug == reference.text.slug }
    if !isGroup, let archived = archived(named: reference) { return .list(archived) }
    return try find(reference, among: places, "list or group")
  }

  /// In `/lists`, as it was shown.
  func number(of place: Place) -> Int { shown.number(of: place, among: places) }

  /// In the order of their numbers.
  var places: [Place] { lists.map { .list($0) } + groups.map { .group($0) } }

  /// By number in `/lists`, by name, by the beginning of a name that no other has.
  private func find(
    _ reference: Reference, among candidates: [Place], _ noun: String
  ) throws(Problem) -> Place {
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

extension Place {
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
  /// `#big-shop` for "Big shop": one word, as it can be typed.
  var tag: String { "#" + name.oneWord }
}

extension Tag {
  /// As it is written in a line: `+uni`.
  var word: String { "+" + name.oneWord }

  func isCalled(_ word: String) -> Bool { name.slug == word.slug }
}

extension String {
  /// Blanks become hyphens.
  var oneWord: String { split(whereSeparator: \.isWhitespace).joined(separator: "-") }
  fileprivate var slug: String { oneWord.lowercased() }
}
