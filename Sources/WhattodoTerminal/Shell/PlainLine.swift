// A line without `/` becomes a post that everybody reads. A person who forgot the `/`, or answers an earlier question,
// does not mean one. The chat asks before it publishes a line when
//  - all of it is a command, and what the command names exists: `help`, `done 1`, `open groceries`, not "plan party" or
//    "move sofa";
//  - all of it is a command with nothing but numbers: `done 7`, also when there is no #7 (any more);
//  - all of it is a word that answers a question: `y`, `no`, `this`, `all`; with refused changes also `again`, `drop`,
//    `both`.
// Free text names nothing: "find a plumber", "new shoes", "add milk" are posts.

import Domain
import Screen

/// A plain line that may not be meant as a post.
struct PlainLine: Equatable {
  let line: String
  /// Whether the line is a command; otherwise it is an answer to a question.
  let isCommand: Bool

  var prompt: Phrase { isCommand ? "run or add? " : "yes or no? " }

  var question: Phrase {
    isCommand
      ? "\"\(line)\" is a command: run /\(line), or add it as a post? (no: neither)"
      : "\"\(line)\" answers nothing that was asked: add it as a post?"
  }
}

extension Planner {
  /// Returns the line as a command or an answer; nil when it is a post.
  func command(inPlain line: String) -> PlainLine? {
    let line = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if case .action(let action) = Input(command: line), isWhole(action, of: line) {
      return PlainLine(line: line, isCommand: true)
    }
    return isAnswer(line.lowercased()) ? PlainLine(line: line, isCommand: false) : nil
  }

  private func isAnswer(_ word: String) -> Bool {
    if YesNo(word) != nil || Times(rawValue: word) != nil { return true }
    return !situation.unsent.isEmpty && ["again", "drop", "theirs", "both"].contains(word)
  }

  private func isWhole(_ action: Action, of line: String) -> Bool {
    let words = line.split(separator: " ").dropFirst().map(String.init)
    if !words.isEmpty, words.allSatisfy(Planner.isNumber) { return true }
    guard namesThings(action) else { return false }
    do throws(Problem) {
      _ = try plan(action)
      return true
    } catch {
      // Only for things that exist is there a question what is meant.
      return error.remedy == .times || error.remedy == .again
    }
  }

  private static func isNumber(_ word: String) -> Bool {
    PostNumber(word) != nil
      || word.split(separator: "-", omittingEmptySubsequences: false).allSatisfy {
        PostNumber(String($0)) != nil
      }
  }

  /// Whether the words name what the planner looks up, or name nothing at all; false for free text alone.
  private func namesThings(_ action: Action) -> Bool {
    switch action {
    case .program(.help(let name)): name.map { CommandTable.entry(named: $0) != nil } ?? true
    case .program(.quit), .program(.back), .program(.logout), .program(.recover): true
    case .show, .filter, .field, .mark, .undo, .redo, .unsent: true
    case .ask(let action): namesThings(action)
    case .post(let action): namesThings(action)
    case .list(let action): namesThings(action)
    case .group(let action): namesThings(action)
    case .people(let action): namesThings(action)
    case .talk(.say(let place, _)): place != nil
    case .talk: true
    case .account(.export): false
    case .account: true
    case .together(let actions): actions.allSatisfy(namesThings)
    case .times(_, let action): namesThings(action)
    }
  }

  private func namesThings(_ action: AskAction) -> Bool {
    switch action {
    case .find(_, let list), .twins(let list, _): list != nil
    case .notifications, .glance, .handOver, .why, .whyPerson, .bin, .removedPlaces, .who,
      .history, .runs, .olderTalk, .digest, .stats, .ownStats, .view, .privacy:
      true
    }
  }

  private func namesThings(_ action: PostAction) -> Bool {
    switch action {
    case .quickAdd: false
    case .add(let list, _): list != nil
    case .plain, .addStep, .complete, .completeForAll, .reopen, .skip, .claim, .claimNext, .release,
      .join, .withdraw, .reach, .react, .move, .copy, .remove, .restore, .purge:
      true
    }
  }

  private func namesThings(_ action: ListAction) -> Bool {
    switch action {
    case .new(_, let group): group != nil
    case .rename(let list, _): list != nil
    case .edit(let list, let edit): list != nil || edit.zone.map { $0.contains("/") } ?? true
    case .open, .copy, .move, .archive, .unarchive, .remove, .restore: true
    }
  }

  private func namesThings(_ action: GroupAction) -> Bool {
    switch action {
    case .named(let name): isGroup(name)
    case .new: false
    case .rename, .remove, .restore: true
    }
  }

  private func namesThings(_ action: PeopleAction) -> Bool {
    switch action {
    case .invite(let person, _, let place): place != nil || isKnown(person)
    case .reach(.block(let person)): isKnown(person)
    case .code(.join(let text)): text.contains("-") && text == text.uppercased()
    case .revoke, .accept, .decline, .setRole, .remove, .leave, .code, .link, .reach, .bot: true
    }
  }

  private func isGroup(_ name: String) -> Bool {
    do throws(Problem) {
      return try situation.catalog.knownGroup(Reference(name)) != nil
    } catch {
      return true
    }
  }

  private func isKnown(_ person: String) -> Bool {
    situation.streams.values.contains { $0.members.contains { $0.username == person } }
  }
}
