// The order of a person's lists is kept in their own `u:`. Each membership of a category has a place, as posts have one
// in their list (`Position`). A list that comes gets a place behind all earlier ones, by the number of the event that
// lets the person in. So lists that nobody moved stand in the order in which they came, and leaving a list ends its
// place. Memberships that are older than this order have no place: they stand in front of all others, by id.

extension Membership {
  /// The place of the list. Lists are ordered by it, then by id.
  package var place: Position { position ?? .of(number: 0) }

  package func stands(before other: Membership) -> Bool {
    (place, stream) < (other.place, other.stream)
  }
}

extension [Membership] {
  /// The memberships of categories in their person's order. Those of groups are left out: a group has no place, its
  /// lists have.
  package var listsInOrder: [Membership] {
    // Each place is made once, not at every comparison.
    filter { $0.stream.category != nil }
      .map { (place: $0.place, list: $0) }
      .sorted { ($0.place, $0.list.stream) < ($1.place, $1.list.stream) }.map(\.list)
  }
}

extension StreamState {
  /// The lists of the person whose own stream this is, in their order.
  package var listsInOrder: [CategoryID] {
    let held: [Membership] = objects.values.compactMap {
      if case .membership(let it) = $0 { it } else { nil }
    }
    return held.listsInOrder.compactMap(\.stream.category)
  }
}

extension [CategoryID] {
  /// Sorts things by this order of lists. Things of other lists come behind, in the order in which they are given.
  package func ordering<Item>(_ all: [Item], by id: (Item) -> CategoryID) -> [Item] {
    let places = Dictionary(uniqueKeysWithValues: zip(self, indices))
    return all.enumerated().sorted { one, other in
      (places[id(one.element)] ?? endIndex, one.offset)
        < (places[id(other.element)] ?? endIndex, other.offset)
    }.map(\.element)
  }
}

extension Position {
  /// Returns the place of a list that comes with the event of this number. `others` is the number of lists that the
  /// same event brings or moves before it.
  static func ofList(comingAt seq: Int64, behind others: Int) -> Position {
    let (first, next) = (Position.of(number: Int(seq)), Position.of(number: Int(seq) + 1))
    return (0..<others).reduce(first) { place, _ in Position.behind(place, coming: next) ?? place }
  }
}

/// A new place for one list, so that the moved one gets where it shall be.
struct ListPlacing: Equatable {
  let stream: StreamID
  let position: Position

  /// Returns the new places for a move. `row` holds the other lists in their order, `index` tells in front of which of
  /// them the moved one goes, and `coming` is the place of the next list that comes. Mostly the moved list is the only
  /// one. Where there is no room between its neighbours, or where both have the same place, the nearest lists around it
  /// get new places too, twice as many at each try, and in the end all of them, in front of lists to come.
  static func moves(
    of moved: Membership, to index: Int, in row: [Membership], coming: Position
  ) -> [ListPlacing] {
    var reach = 0
    while true {
      let window = max(0, index - reach)..<min(row.count, index + reach)
      let lists = row[window.lowerBound..<index] + [moved] + row[index..<window.upperBound]
      let upper = window.lowerBound > 0 ? row[window.lowerBound - 1].place : nil
      let lower = window.upperBound < row.count ? row[window.upperBound].place : nil
      let places = places(for: lists.count, behind: upper, before: lower, coming)
      if let places, reach == 0 || places.allSatisfy(\.isShort) {
        return zip(lists, places).map { ListPlacing(stream: $0.stream, position: $1) }
      }
      precondition(window.count < row.count, "there is room for all lists in front of the next one")
      reach = max(1, reach * 2)
    }
  }

  /// Returns this number of places, ascending, between the two given ones; either may be missing. Nil where there is no
  /// room.
  private static func places(
    for count: Int, behind upper: Position?, before lower: Position?, _ coming: Position
  ) -> [Position]? {
    guard let upper else { return places(for: count, before: lower ?? coming) }
    guard let lower else { return places(for: count, behind: upper, coming) }
    return places(for: count, between: upper, and: lower)
  }

  private static func places(for count: Int, before lower: Position) -> [Position]? {
    var places: [Position] = []
    for _ in 0..<count {
      guard let next = Position.before(places.last ?? lower) else { return nil }
      places.append(next)
    }
    return places.reversed()
  }

  private static func places(
    for count: Int, behind upper: Position, _ coming: Position
  ) -> [Position]? {
    var places: [Position] = []
    for _ in 0..<count {
      guard let next = Position.behind(places.last ?? upper, coming: coming) else { return nil }
      places.append(next)
    }
    return places
  }

  /// Places the middle one first, so that the texts grow with the logarithm of their number.
  private static func places(
    for count: Int, between upper: Position, and lower: Position
  ) -> [Position]? {
    guard count > 0 else { return [] }
    guard let middle = Position.between(upper, lower),
      let above = places(for: count / 2, between: upper, and: middle),
      let below = places(for: count - count / 2 - 1, between: middle, and: lower)
    else { return nil }
    return above + [middle] + below
  }
}

extension Position {
  /// Whether the text is so short that many more fit into the same gap.
  fileprivate var isShort: Bool { text.utf8.count <= Limits.positionCharactersMax / 2 }
}
