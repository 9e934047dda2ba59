import Client
import Domain
import Screen
import Sync
import Wire

// Plans for tags and assignees.

extension Planner {
  func requests(_ action: MarkAction) throws(Problem) -> [PlannedRequest] {
    switch action {
    case .tag(let list, let numbers, let words): [try tag(numbers, with: words, in: list)]
    case .untag(let list, let numbers, let words): [try untag(numbers, from: words, in: list)]
    case .untagAll(let list, let number): [try untagAll(number, in: list)]
    case .changeTag(let list, let word, let step): [try change(word, step, in: list)]
    case .assign(let list, let numbers, let people): [try assign(numbers, to: people, in: list)]
    case .unassign(let list, let numbers, let people):
      [try unassign(numbers, from: people, in: list)]
    case .unassignAll(let list, let number): [try unassignAll(number, in: list)]
    case .handOver(let giver, let taker, let list):
      try handOver(from: giver, to: taker, in: list)
    }
  }

  private func tag(
    _ numbers: [Int], with words: [String], in reference: Reference?
  ) throws(Problem) -> PlannedRequest {
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
          .post(.change(list.id, post.id, .tag($0.id))), "#\(number) \(post.title): +\($0.word)",
          same: "#\(number) is +\($0.word) already")
      }
    }
    return try together(changes)
  }

  private func untag(
    _ numbers: [Int], from words: [String], in reference: Reference?
  ) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    let tags = try words.map { (word) throws(Problem) in try tag(word, of: list) }
    var changes: [PlannedChange] = []
    for number in numbers {
      let post = try situation.post(number, in: list)
      changes += tags.map {
        PlannedChange(
          .post(.change(list.id, post.id, .untag($0.id))),
          "#\(number) \(post.title): no \($0.word)",
          same: "#\(number) is not \($0.word)")
      }
    }
    return try together(changes)
  }

  private func change(
    _ word: String, _ step: TagStep, in reference: Reference?
  ) throws(Problem) -> PlannedRequest {
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

  private func untagAll(_ number: Int, in reference: Reference?) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    let post = try situation.post(number, in: list)
    let tags = situation.streams[.category(list.id)]?.tags(of: post) ?? []
    guard !tags.isEmpty else { throw Problem("#\(number) \(post.title) has no tags") }
    return try untag([number], from: tags.map(\.name.oneWord), in: reference)
  }

  private func unassignAll(_ number: Int, in reference: Reference?) throws(Problem)
    -> PlannedRequest
  {
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
  ) throws(Problem) -> PlannedRequest {
    try given(numbers, people, in: reference) { assigning($1, to: $2, $0) }
  }

  func assigning(_ post: Post, to member: Member, _ list: Category) -> PlannedChange {
    PlannedChange(
      .post(.change(list.id, post.id, .assign(member.id))),
      "#\(post.number) \(post.title) → @\(member.username)",
      same: "#\(post.number) is @\(member.username)'s already")
  }

  private func unassign(
    _ numbers: [Int], from people: [String], in reference: Reference?
  ) throws(Problem) -> PlannedRequest {
    try given(numbers, people, in: reference) { unassigning($1, from: $2, $0) }
  }

  func unassigning(_ post: Post, from member: Member, _ list: Category) -> PlannedChange {
    PlannedChange(
      .post(.change(list.id, post.id, .unassign(member.id))),
      "#\(post.number) \(post.title) is not @\(member.username)'s any more",
      same: "#\(post.number) is not @\(member.username)'s")
  }

  private func given(
    _ numbers: [Int], _ people: [String], in reference: Reference?,
    _ make: (Category, Post, Member) -> PlannedChange
  ) throws(Problem) -> PlannedRequest {
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
