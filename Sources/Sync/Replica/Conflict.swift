package import Domain
import Wire

/// Notes that two people changed at once; nothing is thrown away until the person chooses.
package struct Conflict: Equatable, Sendable {
  package enum Choice: String, CaseIterable, Sendable {
    case mine
    case theirs
    /// Their notes, an empty line, and one's own notes.
    case both
  }

  /// The number of the refused command.
  package let number: Int64
  package let address: PostAddress
  /// The edit that the person wrote.
  package let mine: PostEdit
  /// The post as the others have it now.
  package let theirs: Post

  /// Returns the edit that carries the choice out, at the version of `theirs`; nil for `theirs`, which is there
  /// already.
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
    return .post(.change(address, .edit(edit), ifVersion: theirs.version))
  }
}

/// An automatic way to settle a command that was refused for its version.
package enum Remedy: Equatable, Sendable {
  /// The notes are still those that the person saw, so the same command is sent again at the present version.
  case again(Command)
  /// The notes are already what the person wrote, and stay so: no own change is on its way on top of which they were
  /// made.
  case done
}

/// A post in its confirmed state.
package struct ConfirmedPost {
  /// The post; nil where the copy of its list does not hold it.
  package let post: Post?
  /// The epoch of the list's copy; nil where there is none.
  package let epoch: Epoch?

  package init(_ post: Post?, epoch: Epoch?) {
    self.post = post
    self.epoch = epoch
  }
}

extension Outbox {
  /// Returns the conflicts that a person has to decide, in the order of their refusal.
  package func conflicts(_ confirmed: (PostAddress) -> ConfirmedPost) -> [Conflict] {
    unsent.compactMap { unsent in
      guard let address = unsent.queued.command.post, let mine = unsent.queued.command.notesEdit,
        unsent.reason.kind == .conflict, let theirs = unsent.newest(confirmed(address))
      else { return nil }
      return Conflict(
        number: unsent.queued.number, address: address, mine: mine, theirs: theirs)
    }
  }

  /// Returns the remedies for refusals that need nobody's decision.
  package func remedies(
    _ confirmed: (PostAddress) -> ConfirmedPost
  ) -> [(number: Int64, remedy: Remedy)] {
    // These changes are on their way. A change that was made on top of one of them is not done, even though the post
    // looks so.
    var coming = waiting.compactMap(\.command.writing)
    return conflicts(confirmed).compactMap { conflict in
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

extension UnsentCommand {
  /// Returns the post as the copy has it or as it came with the refusal, whichever is newer. A refusal from before the
  /// server's data was restored counts versions of another history, in which the same number may be another text.
  fileprivate func newest(_ copy: ConfirmedPost) -> Post? {
    guard case .post(let told) = reason.object, queued.base?.epoch == copy.epoch else {
      return copy.post
    }
    guard let post = copy.post, post.version > told.version else { return told }
    return post
  }
}
