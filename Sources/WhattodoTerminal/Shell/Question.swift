// The client asks its questions at its prompt, one at a time. The next line answers the question or ends it. A command
// ends it and is carried out; other words go back to the prompt, where enter sends them. So no later line is taken for
// an answer, and no answer for a post. Escape and ctrl-C end it too. When a question ends without an answer, the person
// is told.

import Domain
import Screen

/// A question of the client that waits for its answer.
enum Question {
  /// Asks which times of a post that comes again are meant.
  case times(AskedTimes)
  /// Asks about a completion of the time after one that was completed a moment ago.
  case again(AskedAgain)
  /// Asks about a plain line that is a command, or an answer to nothing.
  case plain(PlainLine)
  /// Asks about several pasted lines.
  case paste(AskedPaste)

  var prompt: Phrase {
    switch self {
    case .times: "this or all? "
    case .again: "yes or no? "
    case .plain(let line): line.prompt
    case .paste(let asked): asked.prompt
    }
  }

  /// The words for a line that is none of its answers.
  var unanswered: Phrase {
    switch self {
    case .times: "neither this nor all; nothing was done"
    case .again: "neither yes nor no; nothing was done"
    case .plain, .paste: "neither one nor the other; nothing was sent"
    }
  }

  /// The words for when the person leaves the question.
  var left: Phrase {
    switch self {
    case .times, .again: "nothing was done"
    case .plain, .paste: "nothing was sent"
    }
  }
}

/// The words for yes and no in the languages of `protocol/quick-add.md`.
enum YesNo {
  case yes
  case no

  private static let yesses: Set = ["y", "yes", "j", "ja", "o", "oui", "s", "si", "sí"]
  private static let noes: Set = ["n", "no", "nein", "non", "nope"]

  /// Reads a line; nil for anything else.
  init?(_ line: String) {
    let word = line.split(separator: " ").joined(separator: " ").lowercased()
    if YesNo.yesses.contains(word) {
      self = .yes
    } else if YesNo.noes.contains(word) {
      self = .no
    } else {
      return nil
    }
  }
}

extension Chat {
  /// Asks at the prompt.
  func ask(_ question: Question, _ words: Phrase) {
    self.question = question
    print(Line(words, .warn))
  }

  /// Takes the line that was entered below a question.
  func answer(_ question: Question, _ line: String) {
    let words = line.split(separator: " ").map { $0.lowercased() }
    let isAnswer =
      switch question {
      case .times(let asked): answer(asked, words)
      case .again(let asked): answer(asked, words)
      case .plain(let asked): answer(asked, words)
      case .paste(let asked): answer(asked, words)
      }
    if !isAnswer { leave(question, for: line) }
  }

  /// Ends the question without an answer. The line is not lost: a command is carried out, and other words go back to
  /// the prompt.
  private func leave(_ question: Question, for line: String) {
    if line.allSatisfy(\.isWhitespace) { return print(Line(question.left, .dim)) }
    if line.hasPrefix("/") {
      print(Line(question.left, .dim))
      return submit(line)
    }
    print(Line("❯ ", .dim, hang: 2).and("\(line)", .dim))
    print(Line(question.unanswered, .bad).and("; enter sends the line below", .dim))
    editor.retype(line)
  }

  /// Leaves the question on escape or ctrl-C.
  func leaveQuestion() {
    guard let question else { return }
    self.question = nil
    print(Line(question.left, .dim))
  }
}

// MARK: A plain line that is a command

extension Chat {
  /// Asks when a line may not be meant for others; answers whether it asked.
  func asksAbout(_ line: String) -> Bool {
    guard let asked = Planner(situation: situation).command(inPlain: line) else { return false }
    ask(.plain(asked), asked.question)
    return true
  }

  private func answer(_ asked: PlainLine, _ words: [String]) -> Bool {
    guard words.count == 1 else { return false }
    if ["a", "add", "post"].contains(words[0]) {
      perform(.post(.quickAdd(asked.line)), asked.line)
      return true
    }
    switch YesNo(words[0]) {
    case .no: print(Line("nothing was sent", .dim))
    case .yes where asked.isCommand: submit("/" + asked.line)
    case .yes: perform(.post(.quickAdd(asked.line)), asked.line)
    case nil:
      guard asked.isCommand, ["r", "run"].contains(words[0]) else { return false }
      submit("/" + asked.line)
    }
    return true
  }
}
