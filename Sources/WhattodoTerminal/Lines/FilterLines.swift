import Domain
import Screen
import Sync
import Wire

extension StreamState {
  /// The filters, ordered by name.
  var filters: [Filter] {
    let all: [Filter] = objects.values.compactMap {
      if case .filter(let it) = $0 { it } else { nil }
    }
    return all.sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
  }
}

extension Filter {
  func isCalled(_ word: String) -> Bool { name.oneWord.lowercased() == word.lowercased() }

  /// Returns the filter as it was written, as far as its lists and tags still exist.
  func words(_ situation: Situation) -> String {
    var words: [String] = criteria.state == .open ? [] : [criteria.state.rawValue]
    if criteria.by == .me { words.append("mine") }
    if criteria.assignee == .me { words.append("assigned") }
    if let priority = criteria.priority { words.append("!" + priority.rawValue) }
    if let tag = criteria.tag {
      let known = situation.streams.keys.sorted().lazy.compactMap {
        situation.streams[$0]?.tag(tag)
      }.first
      words.append(known?.word ?? "+?")
    }
    if let days { words.append(FilterWish.words(days)) }
    words += (categories ?? []).map { situation.label(.category($0)) }
    if sort != .created { words.append("by " + sort.rawValue) }
    return words.isEmpty ? "open" : words.joined(separator: " ")
  }
}

extension ListLines {
  /// The lines of `/filters`.
  static func filters(_ situation: Situation) -> [Line] {
    let filters = situation.ownStream?.filters ?? []
    guard !filters.isEmpty else {
      return [Line("no filters yet: /filter save NAME mine !high today", .dim)]
    }
    return filters.map {
      Line("  \(pad($0.name.oneWord, 24))", .strong, hang: 4)
        .and("\($0.words(situation))", .dim)
    }
  }
}

extension JSONOutput {
  static func filters(_ situation: Situation, _ writer: inout JSONWriter) {
    writer.array("filters", situation.ownStream?.filters ?? []) { filter, writer in
      writer.member("id", "\(filter.id)")
      writer.member("name", filter.name)
      writer.member("words", filter.words(situation))
    }
  }
}
