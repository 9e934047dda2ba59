import Client
import Domain
import Screen
import Sync
import Wire

// Plans for tags and assignees, and for changes of several posts as one.
extension Planner {
  func errand(aboutMarks action: Action) throws(Problem) -> Errand {
    switch action {
    case .tag(let list, let numbers, let words): try tag(numbers, with: words, in: list)
    case .untag(let list, let numbers, let words): try untag(numbers, from: words, in: list)
    case .untagAll(let list, let number): try untagAll(number, in: list)
    case .unassignAll(let list, let number): try unassignAll(number, in: list)
    case .changeTag(let list, let word, let step): try change(word, step, in: list)
    case .assign(let list, let numbers, let people): try assign(numbers, to: people, in: list)
    case .unassign(let list, let numbers, let people):
      try unassign(numbers, from: people, in: list)
    default: preconditionFailure("an action about tags or assignees")
    }
  }

  private func tag(
    _ numbers: [Int], with words: [String], in reference: Reference?
  ) throws(Problem) -> Errand {
    let list = try situation.list(reference)
    var changes: [PlannedChange] = []
    var tags: [(id: TagID, word: String)] = []
    for word in words where !tags.contains(where: { $0.word.lowercased() == word.lowercased() }) {
      if let known = situation.tag(word, of: list) {
        tags.append((known.id, word))
        continue
      }
      let id = TagID(Identifiers.make())
      tags.append((id, word))
      changes.append(PlannedChange(.changeTag(list.id, id, .add(name: word)), "new tag +\(word)"))
    }
    for number in numbers {
      let post = try situation.post(number, in: list)
      changes += tags.map {
        PlannedChange(
          .changePost(list.id, post.id, .tag($0.id)), "#\(number) \(post.title): +\($0.word)",
          same: "#\(number) is +\($0.word) already")
      }
    }
    return try together(changes)
  }

  private func untag(
    _ numbers: [Int], from words: [String], in reference: Reference?
  ) throws(Problem) -> Errand {
    let list = try situation.list(reference)
    let tags = try words.map { (word) throws(Problem) in try tag(word, of: list) }
    var changes: [PlannedChange] = []
    for number in numbers {
      let post = try situation.post(number, in: list)
      changes += tags.map {
        PlannedChange(
          .changePost(list.id, post.id, .untag($0.id)), "#\(number) \(post.title): no \($0.word)",
          same: "#\(number) is not \($0.word)")
      }
    }
    return try together(changes)
  }

  private func change(
    _ word: String, _ step: TagStep, in reference: Reference?
  ) throws(Problem) -> Errand {
    let list = try situation.list(reference)
    let tag = try tag(word, of: list)
    switch step {
    case .rename(let name):
      return change(
        .changeTag(list.id, tag.id, .edit(TagEdit(name: name))), "\(tag.word) is \(name) now")
    case .color(let color):
      let edit = TagEdit(color: color == .standard ? .clear : .set(color))
      return change(
        .changeTag(list.id, tag.id, .edit(edit)), "\(tag.word) is \(color.rawValue) now")
    case .remove:
      return change(
        .changeTag(list.id, tag.id, .remove), "\(tag.word) is removed; /undo brings it back")
    }
  }

  private func untagAll(_ number: Int, in reference: Reference?) throws(Problem) -> Errand {
    let list = try situation.list(reference)
    let post = try situation.post(number, in: list)
    let tags = situation.streams[.category(list.id)]?.tags(of: post) ?? []
    guard !tags.isEmpty else { throw Problem("#\(number) \(post.title) has no tags") }
    return try untag([number], from: tags.map(\.name.oneWord), in: reference)
  }

  private func unassignAll(_ number: Int, in reference: Reference?) throws(Problem) -> Errand {
    let list = try situation.list(reference)
    let post = try situation.post(number, in: list)
    let people = situation.streams[.category(list.id)]?.assignees(of: post) ?? []
    guard !people.isEmpty else { throw Problem("#\(number) \(post.title) is nobody's work") }
    return try unassign([number], from: people.map(\.username), in: reference)
  }

  func tag(_ word: String, of list: Category) throws(Problem) -> Tag {
    guard let tag = situation.tag(word, of: list) else {
      throw Problem("\(list.tag) has no tag +\(word); /tags shows them")
    }
    return tag
  }
}

// MARK: Whose work it is

extension Planner {
  private func assign(
    _ numbers: [Int], to people: [String], in reference: Reference?
  ) throws(Problem) -> Errand {
    try given(numbers, people, in: reference) { list, post, member in
      PlannedChange(
        .changePost(list.id, post.id, .assign(member.id)),
        "#\(post.number) \(post.title) → @\(member.username)",
        same: "#\(post.number) is @\(member.username)'s already")
    }
  }

  private func unassign(
    _ numbers: [Int], from people: [String], in reference: Reference?
  ) throws(Problem) -> Errand {
    try given(numbers, people, in: reference) { list, post, member in
      PlannedChange(
        .changePost(list.id, post.id, .unassign(member.id)),
        "#\(post.number) \(post.title) is not @\(member.username)'s any more",
        same: "#\(post.number) is not @\(member.username)'s")
    }
  }

  private func given(
    _ numbers: [Int], _ people: [String], in reference: Reference?,
    _ make: (Category, Post, Member) -> PlannedChange
  ) throws(Problem) -> Errand {
    let list = try situation.list(reference)
    var members: [Member] = []
    for person in people {
      let found = situation.streams[.category(list.id)]?.members.first { $0.username == person }
      guard let found else { throw Problem("@\(person) is not in \(list.tag)") }
      members.append(found)
    }
    var changes: [PlannedChange] = []
    for number in numbers {
      let post = try situation.post(number, in: list)
      changes += members.map { make(list, post, $0) }
    }
    return try together(changes)
  }
}

/// One of several changes that are made as one, with its words.
struct PlannedChange {
  let command: Command
  let telling: Telling

  init(_ command: Command, _ made: Phrase, same: Phrase? = nil) {
    self.command = command
    telling = Telling(made: made, same: same)
  }
}

extension Planner {
  /// Plans all changes as one command, of which all or none is made and one undo takes all back. A single change is
  /// sent as itself.
  func together(_ changes: [PlannedChange]) throws(Problem) -> Errand {
    guard changes.count <= Limits.batchCommandsMax else {
      throw Problem(
        "that are \(changes.count) changes; at most \(Limits.batchCommandsMax) go at once")
    }
    if changes.count == 1, let only = changes.first {
      return change(
        only.command, only.telling.made, same: only.telling.same ?? "nothing changed")
    }
    return Errand(
      request: .command(.batch(changes.map(\.command)), key: Identifiers.key()),
      report: .changes(changes.map(\.telling)))
  }
}
