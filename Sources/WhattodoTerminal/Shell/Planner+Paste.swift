import Client
import Domain
import QuickAdd
import Screen
import Sync
import Text
import Wire

// Pasted lines become posts as plain lines do, in batches. Each batch is a command with its own key, so that none
// becomes an event that nobody could read, and an interrupted paste goes on where it was. A refused batch waits in
// /unsent.

extension Planner {
  /// Plans all lines; throws when one of them could not be sent, so nothing is.
  func add(_ pasted: PastedLines) throws(Problem) -> [PlannedRequest] {
    try Planner.refuseTooMany(pasted)
    var batches = PostBatches()
    var plans: [Command] = []
    for line in pasted.lines {
      let understood = try understand(line)
      batches.add(adding(understood).map(\.command), understood)
      plans += planning(understood).compactMap {
        if case .command(let command, key: _, base: _) = $0.request { command } else { nil }
      }
    }
    return batches.all.map { batch in
      change(.together(batch.commands), batch.told, told: true)
    }
      + stride(from: 0, to: plans.count, by: Limits.batchCommandsMax).map { start in
        let some = Array(plans[start..<min(start + Limits.batchCommandsMax, plans.count)])
        return PlannedRequest(
          request: .command(.together(some), key: Identifiers.key()), report: .mark)
      }
  }

  static func refuseTooMany(_ pasted: PastedLines) throws(Problem) {
    guard pasted.lines.count > PastedLines.max else { return }
    throw Problem(
      "that are \(pasted.lines.count) lines: at most \(PastedLines.max) are added at once; "
        + "nothing was sent")
  }

  /// Reads a line. Its number belongs to a date when the line with the number begins with a day.
  private func understand(_ line: PastedLine) throws(Problem) -> UnderstoodLine {
    var understood = try understand(line.text, as: PostID(Identifiers.make()), refusing: [])
    if let numbered = line.numbered {
      let other = try understand(numbered, as: understood.post, refusing: [])
      let isDate = other.reading.guesses.contains { $0.kind == .due && $0.range.lowerBound == 0 }
      if isDate { understood = other }
    }
    do throws(TextError) {
      _ = try Text.line(understood.reading.title, scalars: 1...Limits.titleScalarsMax)
    } catch {
      let isLong = understood.reading.title.unicodeScalars.count > Limits.titleScalarsMax
      let why =
        isLong
        ? "it is longer than \(Limits.titleScalarsMax) letters"
        : "it has letters that no title may have"
      throw Problem("line \(line.place) is no title: \(why); nothing was sent")
    }
    return understood
  }
}

extension Command {
  /// Returns a batch of the commands; a single command stays itself.
  fileprivate static func together(_ commands: [Command]) -> Command {
    commands.count == 1 ? commands[0] : .batch(commands)
  }
}

/// Posts in as many batches as they need. All commands about one post are in one batch.
private struct PostBatches {
  struct Batch {
    var commands: [Command] = []
    var posts: [UnderstoodLine] = []
    var bytes = 0

    var told: Phrase {
      let lists = Set(posts.map(\.list.tag)).sorted()
      let count: Phrase = posts.count == 1 ? "1 post is added" : "\(posts.count) posts are added"
      let read = posts.count { $0.due != nil || $0.repeats != nil }
      let days: Phrase = read == 0 ? "" : ", \(read) of them with a day"
      return count + " to \(lists.joined(separator: " "))" + days + "; /undo takes them back"
    }
  }

  private(set) var all: [Batch] = []
  private var tags = NewTags()

  /// Half of what an event may have; the rest is for what surrounds the titles.
  private static let bytesMax = Limits.eventBytesMax / 2
  private static let bytesOfPost = 400

  mutating func add(_ commands: [Command], _ post: UnderstoodLine) {
    let commands = commands.compactMap { tags.sharing($0) }
    let bytes = post.reading.title.utf8.count + commands.count * PostBatches.bytesOfPost
    let last = all.last
    let isFull =
      last.map {
        $0.commands.count + commands.count > Limits.batchCommandsMax
          || $0.bytes + bytes > PostBatches.bytesMax
      } ?? true
    if isFull { all.append(Batch()) }
    all[all.count - 1].commands += commands
    all[all.count - 1].posts.append(post)
    all[all.count - 1].bytes += bytes
  }
}

/// The tags that earlier lines have made. The first line that has a new tag makes it, and the others use it.
struct NewTags {
  private var made: [String: TagID] = [:]
  private var instead: [TagID: TagID] = [:]

  /// Returns the command with the tags of earlier lines; nil when it makes a tag that one of them makes.
  mutating func sharing(_ command: Command) -> Command? {
    switch command {
    case .changeTag(let list, let id, .add(let name, _)):
      let key = "\(list) \(name.lowercased())"
      guard let known = made[key] else {
        made[key] = id
        return command
      }
      instead[id] = known
      return nil
    case .post(.change(let address, .tag(let id), let version)):
      return .post(.change(address, .tag(instead[id] ?? id), ifVersion: version))
    default: return command
    }
  }
}
