package import Domain
import Wire

/// Notes that two people changed at once: nothing is thrown away until the person chooses.
package struct Conflict: Equatable, Sendable {
  package enum Choice: String, CaseIterable, Sendable {
    case mine
    case theirs
    /// Theirs, an empty line, mine.
    case both
  }

  /// Of the refused command.
  package let number: Int64
  package let address: PostAddress
  /// What the person wrote.
  package let mine: PostEdit
  /// The post as the others have it now.
  package let theirs: Post

  /// The edit that carries the choice out, at the version of `theirs`; nil for theirs, which is there already.
  package func edit(_ choice: Choice) -> Command? {
    let edit: PostEdit
    switch choice {
    case .mine: edit = mine
    case .theirs: return nil
    case .both:
      let texts = [theirs.notes, mine.notes ?? ""].filter { !$0.isEmpty }
      var both = mine
      both.notes = texts.joined(separator: "\n\n")
      edit = both
    }
    return .changePost(address, .edit(edit), ifVersion: theirs.version)
  }
}

/// What can be done by itself with a command that was refused for its version.
package enum Remedy: Equatable, Sendable {
  /// The notes are still those that the person saw: the same again, at the version of today.
  case again(Command)
  /// They are what the person wrote, and stay so: no change of their own, on top of which it was made, is on its way.
  case done
}

extension Outbox {
  /// Those that a person has to decide, in the order of their refusal. `post`: as it is confirmed.
  package func conflicts(_ post: (PostAddress) -> Post?) -> [Conflict] {
    unsent.compactMap { unsent in
      guard let address = unsent.queued.command.post, let mine = unsent.queued.command.notesEdit,
        unsent.reason.kind == .conflict, let theirs = unsent.reason.newest(post(address))
      else { return nil }
      return Conflict(
        number: unsent.queued.number, address: address, mine: mine, theirs: theirs)
    }
  }

  /// What needs nobody's decision.
  package func remedies(
    _ post: (PostAddress) -> Post?
  ) -> [(number: Int64, remedy: Remedy)] {
    // What is on its way: a change that was made on top of it is not done, though the post looks so.
    var coming = waiting.compactMap(\.command.writing)
    return conflicts(post).compactMap { conflict in
      guard let seen = unsent(conflict.number)?.queued.seenNotes else { return nil }
      let theirs = conflict.theirs
      if theirs.edited(by: conflict.mine).hasFields(of: theirs) {
        let isBehind = coming.contains { $0.post == conflict.address && $0.notes == seen }
        return isBehind ? nil : (conflict.number, .done)
      }
      guard theirs.notes == seen, let again = conflict.edit(.mine) else { return nil }
      coming += again.writing.map { [$0] } ?? []
      return (conflict.number, .again(again))
    }
  }
}

extension Command {
  fileprivate var writing: (post: PostAddress, notes: String)? {
    guard let post, let notes = notesEdit?.notes else { return nil }
    return (post, notes)
  }
}

extension ServerError {
  /// The post as the copy has it or as it came with the refusal, whichever is newer.
  fileprivate func newest(_ copy: Post?) -> Post? {
    guard case .post(let told) = object else { return copy }
    guard let copy, copy.version > told.version else { return told }
    return copy
  }
}
