// The line being typed. It is two strings, one before and one behind the cursor, so every edit happens where they meet.
// The standard library decides what a grapheme is: a mark that is typed after its letter joins it, and backspace
// removes both.
//
// A pasted line break becomes a blank, because a paste never submits. Invisible characters are left out of a paste
// (Text/Cleaning.swift).

import Text

/// The caller's next step after a key.
package enum EditorOutcome: Equatable, Sendable {
  case nothing
  /// The text or the cursor changed: paint the line again.
  case changed
  /// Enter: the line holds this text, and the editor is empty now.
  case submitted(String)
  /// Ctrl-C: this line was thrown away; nil when it was empty already.
  case interrupted(String?)
  /// Ctrl-D on an empty line.
  case ended
  /// Ctrl-L: clear the screen.
  case clear
  /// Tab: complete the word before the cursor.
  case complete
  case scroll(pages: Int)
  /// Ctrl-Z: stop the program until it is resumed.
  case suspend
}

/// The pure line editor: keys go in, text and cursor come out.
package struct LineEditor: Sendable {
  /// The maximum of a line, enough for a long note. Text beyond it is dropped.
  package static let scalarsMax = 20_000

  package private(set) var head = ""
  package private(set) var tail = ""
  private var history = History()
  /// The text that ctrl-k, ctrl-u or ctrl-w took last; ctrl-y inserts it.
  private var taken = ""

  package init() {}

  package var text: String { head + tail }
  package var isEmpty: Bool { head.isEmpty && tail.isEmpty }

  package mutating func handle(_ key: Key) -> EditorOutcome {
    switch key {
    case .scalar(let scalar): return insert(String(Character(scalar)))
    case .paste(let text): return insert(LineEditor.oneLine(Text.cleaned(line: text)))
    case .enter: return submit()
    case .control(let letter): return handleControl(letter)
    case .tab: return .complete
    case .backspace: return changed { if !$0.head.isEmpty { $0.head.removeLast() } }
    case .delete: return changed { if !$0.tail.isEmpty { $0.tail.removeFirst() } }
    case .left: return changed { $0.moveLeft() }
    case .right: return changed { $0.moveRight() }
    case .wordLeft: return changed { $0.moveWordLeft() }
    case .wordRight: return changed { $0.moveWordRight() }
    case .home: return changed { $0.place(head: "", tail: $0.text) }
    case .end: return changed { $0.place(head: $0.text, tail: "") }
    case .up: return recall { $0.history.older(than: $0.text) }
    case .down: return recall { $0.history.newer(than: $0.text) }
    case .pageUp: return .scroll(pages: -1)
    case .pageDown: return .scroll(pages: 1)
    case .escape, .unknown, .longPaste: return .nothing
    }
  }

  /// Replaces the word before the cursor (completion).
  package mutating func replaceWord(with word: String) {
    let kept = head.prefix(head.count - wordBeforeCursor.count)
    place(head: kept + word, tail: tail)
  }

  /// The text from the last blank to the cursor.
  package var wordBeforeCursor: String {
    String(head.reversed().prefix { !$0.isWhitespace }.reversed())
  }

  /// Puts a text into the empty line, with the cursor behind it.
  package mutating func retype(_ text: String) { place(head: text, tail: "") }

  /// Adds a line to the history without typing it.
  package mutating func remember(_ line: String) { history.add(line) }

  private mutating func handleControl(_ letter: Character) -> EditorOutcome {
    switch letter {
    case "a": return handle(.home)
    case "e": return handle(.end)
    case "b": return handle(.left)
    case "f": return handle(.right)
    case "p": return handle(.up)
    case "n": return handle(.down)
    case "h": return handle(.backspace)
    case "k": return changed { $0.take(behind: true) }
    case "u": return changed { $0.take(behind: false) }
    case "w": return changed { $0.takeWord() }
    case "y": return insert(taken)
    case "d": return isEmpty ? .ended : handle(.delete)
    case "c": return interrupt()
    case "l": return .clear
    case "z": return .suspend
    default: return .nothing
    }
  }

  private mutating func insert(_ text: String) -> EditorOutcome {
    let room = LineEditor.scalarsMax - head.unicodeScalars.count - tail.unicodeScalars.count
    guard room > 0, !text.isEmpty else { return .nothing }
    head.unicodeScalars.append(contentsOf: text.unicodeScalars.prefix(room))
    return .changed
  }

  private mutating func submit() -> EditorOutcome {
    let line = text
    history.add(line)
    place(head: "", tail: "")
    return .submitted(line)
  }

  private mutating func interrupt() -> EditorOutcome {
    let line = text
    place(head: "", tail: "")
    history.leave()
    return .interrupted(line.isEmpty ? nil : line)
  }

  private mutating func recall(_ entry: (inout LineEditor) -> String?) -> EditorOutcome {
    guard let line = entry(&self) else { return .nothing }
    place(head: line, tail: "")
    return .changed
  }

  private mutating func changed(_ edit: (inout LineEditor) -> Void) -> EditorOutcome {
    let before = (head, tail)
    edit(&self)
    return before == (head, tail) ? .nothing : .changed
  }

  private mutating func place(head: String, tail: String) {
    self.head = head
    self.tail = tail
  }

  private mutating func moveLeft() {
    guard !head.isEmpty else { return }
    tail = String(head.removeLast()) + tail
  }

  private mutating func moveRight() {
    guard !tail.isEmpty else { return }
    head.append(tail.removeFirst())
  }

  private mutating func moveWordLeft() {
    while let last = head.last, last.isWhitespace { moveLeft() }
    while let last = head.last, !last.isWhitespace { moveLeft() }
  }

  private mutating func moveWordRight() {
    while let first = tail.first, first.isWhitespace { moveRight() }
    while let first = tail.first, !first.isWhitespace { moveRight() }
  }

  private mutating func take(behind: Bool) {
    taken = behind ? tail : head
    if behind { tail = "" } else { head = "" }
  }

  private mutating func takeWord() {
    let old = head
    while let last = head.last, last.isWhitespace { head.removeLast() }
    while let last = head.last, !last.isWhitespace { head.removeLast() }
    taken = String(old.dropFirst(head.count))
  }

  private static func oneLine(_ text: String) -> String {
    let body = text.reversed().drop { $0.isNewline }.reversed()
    return String(body.map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }
}

/// The lines entered before, and the person's place among them.
struct History: Sendable {
  /// The number of lines kept, about those of a working day.
  static let entriesMax = 200

  private var entries: [String] = []
  /// The index of the entry that is shown; `entries.count` stands for the line being typed.
  private var place = 0
  private var draft = ""

  mutating func add(_ line: String) {
    if !line.isEmpty, line != entries.last { entries.append(line) }
    if entries.count > History.entriesMax { entries.removeFirst() }
    leave()
  }

  mutating func leave() {
    place = entries.count
    draft = ""
  }

  mutating func older(than current: String) -> String? {
    guard place > 0 else { return nil }
    if place == entries.count { draft = current }
    place -= 1
    return entries[place]
  }

  mutating func newer(than current: String) -> String? {
    guard place < entries.count else { return nil }
    place += 1
    return place == entries.count ? draft : entries[place]
  }
}
