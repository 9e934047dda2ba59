import Domain
import Text

/// A word by which posts of a list are found.
public struct TodoTag: Hashable, Sendable, Identifiable {
  let tag: TagID
  public let name: String

  /// A UUID in lower case, unique within its list.
  public var id: String { tag.description }

  init(_ tag: Tag) {
    self.tag = tag.id
    name = tag.name
  }
}

// The tags of a list, and the people whose work its posts are.
extension Todo {
  /// Returns the tags of a list, by name.
  public func tags(in list: TodoList) -> [TodoTag] {
    look()
    return (client.view[.category(list.category)]?.objects.values).map { objects in
      objects.compactMap { object in
        if case .tag(let tag) = object { TodoTag(tag) } else { nil }
      }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    } ?? []
  }

  /// Adds a tag to a list. The receipt throws `exists` when there is one of that name, in any case of its letters, and
  /// `quota`.
  @discardableResult
  public func addTag(_ name: String, to list: TodoList) throws(TodoError) -> TodoReceipt {
    try queue(
      .changeTag(list.category, TagID(Identifiers.make()), .add(name: Text.cleaned(line: name))))
  }

  /// Sets another name. All posts that have the tag then have it with that name.
  @discardableResult
  public func rename(
    _ tag: TodoTag, to name: String, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try queue(.changeTag(list.category, tag.tag, .edit(TagEdit(name: Text.cleaned(line: name)))))
  }

  /// Takes the tag away from the list and so from all its posts. `undo` brings both back.
  @discardableResult
  public func remove(_ tag: TodoTag, in list: TodoList) throws(TodoError) -> TodoReceipt {
    try queue(.changeTag(list.category, tag.tag, .remove))
  }

  /// Puts a tag on a post, or takes it off.
  @discardableResult
  public func setTag(
    _ tag: TodoTag, _ isOn: Bool = true, on post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try queue(.post(.change(list.category, post.id, isOn ? .tag(tag.tag) : .untag(tag.tag))))
  }

  /// Makes a post somebody's work too, or no longer. A person who is given work is told. The receipt throws `not_found`
  /// for a person who is no member.
  @discardableResult
  public func setAssigned(
    _ person: TodoPerson, _ isTheirs: Bool = true, of post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try queue(
      .post(
        .change(list.category, post.id, isTheirs ? .assign(person.user) : .unassign(person.user))))
  }

  /// Returns the people whose work a post is, by username.
  public func assignees(of post: TodoPost.ID, in list: TodoList) -> [TodoPerson] {
    look()
    let users = Set(counting(seen(post, in: list)?.assignees ?? [], in: list).map(\.user))
    return people(in: list).filter { users.contains($0.user) }
  }

  /// Returns whose turn it is, for a post that its people do in turn. Nil for any other post, and when it is nobody's
  /// work.
  public func turn(of post: TodoPost.ID, in list: TodoList) -> TodoPerson? {
    look()
    guard let seen = seen(post, in: list) else { return nil }
    let held = counting(seen.assignees, in: list)
    let user = seen.whoseTurn { assignment in held.contains(assignment) }
    return people(in: list).first { $0.user == user }
  }

  private func counting(_ assignments: [Assignment], in list: TodoList) -> [Assignment] {
    let state = client.view[.category(list.category)]
    return assignments.filter { assignment in
      guard case .member(let member) = state?.object(.member, assignment.user.uuid) else {
        return false
      }
      return member.holds(assignment)
    }
  }
}
