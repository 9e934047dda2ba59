// The view of talk. A person opens it by /talk and leaves it by /back, by escape, by ctrl-C on an empty line, or by
// opening a list. It also closes by itself when nothing can be said there any more: the list is gone, or the role, or
// the server refuses a line as forbidden. The prompt changes at once. A line that was begun in the view stays at the
// prompt, and the next enter does not send it, because it was meant as talk and would be a post.

import Domain
import Screen
import Sync

extension Chat {
  /// Opens the view of talk, where the person may talk. A list is opened with it.
  func enterTalk(_ place: ListOrGroup, about post: Post?) {
    let view = TalkView(stream: place.stream, post: post?.id)
    guard situation.holds(view) else { return }
    if case .list(let list) = place, situation.open != list.id {
      work(in: list.id, showing: false)
    }
    if situation.talking == nil {
      print(Line("a line is said here now; + TEXT adds a post, /back leaves", .dim))
    }
    situation.talking = view
  }

  /// Leaves the view of talk because the person wants to.
  func leaveTalk() {
    guard situation.talking != nil else { return print(Line("no view of talk is open", .dim)) }
    closeTalk()
    print(Line("a line adds a post again", .dim))
  }

  /// Closes the view of talk. `typed` is the line that was begun there.
  func closeTalk(typed: String? = nil) {
    guard situation.talking != nil else { return }
    situation.talking = nil
    if !(typed ?? editor.text).allSatisfy(\.isWhitespace) { holdsLine = true }
  }

  /// Closes the view of talk when nothing can be said there any more.
  func endLostTalk(typed: String? = nil) {
    guard let view = situation.talking, !situation.holds(view) else { return }
    complain("nothing can be said in \(situation.label(view.stream)) any more: the talk is closed")
    closeTalk(typed: typed)
  }

  /// Closes the view of talk when the server says that nothing may be said there. The copy does not say so where the
  /// operator has switched talk off, nor where the group of the list, which has it off, is in no copy.
  func endTalk(refusing unsent: UnsentCommand) {
    guard let view = situation.talking, unsent.silentPlace == view.stream else { return }
    complain(
      "nothing can be said in \(situation.label(view.stream)): the talk is closed, "
        + "and /unsent keeps what you said")
    closeTalk()
  }

  /// Puts a line back that was begun in a view that is closed now; answers whether it did.
  func putsBack(_ line: String) -> Bool {
    endLostTalk(typed: line)
    defer { holdsLine = false }
    guard holdsLine, !line.allSatisfy(\.isWhitespace) else { return false }
    print(Line("❯ ", .dim, hang: 2).and("\(line)", .dim))
    print(
      Line("that was begun in a talk that is closed; nothing was sent", .bad)
        .and("; enter sends the line below from here", .dim))
    editor.retype(line)
    putBack = editor.text
    return true
  }
}
