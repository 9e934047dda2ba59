// Pasted text is never run and never sent by itself. One line counts as typed text. For several lines the person is
// asked whether each is to be a post. Pasted text is known by the terminal's marks (bracketed paste), or by how fast it
// comes (`Bursts`).

import Domain
import Screen

/// Several pasted lines that wait for yes or no.
struct AskedPaste {
  let pasted: PastedLines
  /// The text as it was pasted, for making one line of it.
  let text: String
  /// The text that was typed before the paste; it is a part of the first line.
  let draft: String

  var prompt: Phrase {
    pasted.lines.count == 1 ? "add 1 post? " : "add \(pasted.lines.count) posts? "
  }
}

/// A way to take a paste.
enum PasteWay {
  /// It counts as typed text.
  case typed
  /// Each line becomes a post if the person says so.
  case asked
  /// Nothing is made of it: the draft was begun as talk, and would be a part of the first post.
  case refused

  /// `whole` is the draft with the pasted text in it. `isHeld` means that the draft was begun in a view of talk that is
  /// closed by now.
  init(_ whole: String, draft: String, in view: TalkView?, isHeld: Bool) {
    // In a view of talk all of it is one line, which is said.
    guard !draft.hasPrefix("/"), view == nil, PastedLines.areSeveral(in: whole) else {
      self = .typed
      return
    }
    self = isHeld ? .refused : .asked
  }
}

extension Chat {
  /// Takes a paste. Behind a command that was begun, the lines are its words.
  func paste(_ text: String) {
    guard text.utf8.count <= KeyParser.pasteBytesMax else { return refuseLongPaste() }
    guard question == nil else {
      return complain("that was pasted below a question, and nothing was made of it")
    }
    let draft = editor.text
    let whole = editor.head + text + editor.tail
    switch PasteWay(whole, draft: draft, in: situation.talking, isHeld: holdsLine) {
    case .typed: _ = editor.handle(.paste(text))
    case .refused:
      complain(
        "the line below was begun in a talk that is closed, so nothing was made of the paste; "
          + "ctrl-C drops the line, then paste again")
    case .asked:
      editor.retype("")
      tell(AskedPaste(pasted: PastedLines(whole), text: text, draft: draft))
    }
  }

  /// Refuses a paste that is longer than any list.
  func refuseLongPaste() {
    complain(
      "that was too much to paste at once: at most \(KeyParser.pasteBytesMax) bytes; nothing was sent"
    )
  }

  private func tell(_ asked: AskedPaste) {
    let pasted = asked.pasted
    guard let first = pasted.lines.first, let last = pasted.lines.last else {
      return complain("all \(pasted.ticked) pasted lines are ticked off; nothing was sent")
    }
    do throws(Problem) {
      _ = try situation.list(nil)
      try Planner.refuseTooMany(pasted)
    } catch {
      return complain(error.sentence)
    }
    let place: Phrase = situation.openList.map { " for \($0.tag)" } ?? ""
    var lines = [Line("pasted" + place + ", not sent yet:", .warn)]
    lines.append(Line("  first: ", .dim, hang: 9).and("\(first.text)"))
    if pasted.lines.count > 1 { lines.append(Line("  last:  ", .dim, hang: 9).and("\(last.text)")) }
    if pasted.ticked > 0 { lines.append(Line("  left out, as ticked off: \(pasted.ticked)", .dim)) }
    print(lines)
    let each: Phrase = pasted.lines.count == 1 ? "yes adds it" : "yes adds each as a post"
    ask(.paste(asked), each + ", no drops them, one makes one line of them")
  }

  func answer(_ asked: AskedPaste, _ words: [String]) -> Bool {
    guard words.count == 1 else { return false }
    if words[0] == "one" {
      editor.retype(asked.draft)
      _ = editor.handle(.paste(asked.text))
      return true
    }
    switch YesNo(words[0]) {
    case .yes:
      do throws(Problem) {
        send(try Planner(situation: situation).add(asked.pasted))
      } catch {
        complain(error.sentence)
      }
    case .no:
      print(Line("nothing was sent", .dim))
      editor.retype(asked.draft)
    case nil: return false
    }
    return true
  }
}
