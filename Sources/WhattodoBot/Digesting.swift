import Client
import Glibc

/// The digest of a week as one post: who did how much in which lists. Run again in the same week it tells the same post
/// anew, and leaves alone what people have changed there.
struct Digesting {
  private let week: Week
  private let todo: Todo
  private var lists: [(name: String, stats: TodoStats)] = []

  init(_ week: Week, _ todo: Todo) {
    (self.week, self.todo) = (week, todo)
  }

  /// Asks what happened in the lists, tells it in one of them, and prints the line for the terminal.
  mutating func run(_ asked: [TodoList], in list: TodoList) throws(BotError) {
    do throws(TodoError) {
      for it in asked {
        lists.append((it.name, try todo.waitForStats(of: it, from: week.first, to: week.last)))
      }
      let post = TodoImport(id: week.name, title: title, notes: notes)
      guard let outcome = try todo.importPosts([post], from: "digest", to: list).first else {
        preconditionFailure("one outcome for one post")
      }
      if let reason = outcome.reason { throw reason }
      print(
        outcome.number.map { "#\($0) \(title): \(outcome.kind)" } ?? "\(title): \(outcome.kind)")
    } catch {
      throw BotError(error)
    }
  }

  private var title: String {
    "Week \(week.number): \(Digesting.words(total(\.completed), total(\.addedInWeek)))"
  }

  private func total(_ count: (TodoStats) -> Int) -> Int {
    lists.reduce(0) { $0 + count($1.stats) }
  }

  private static func words(_ completed: Int, _ added: Int) -> String {
    "\(completed) done, \(added) added"
  }

  /// The days, then each list in which something happened, then each person, those who did most first.
  private var notes: String {
    var lines = ["\(week.first) to \(week.last)"]
    lines += Digesting.first(
      lists.filter { $0.stats.completed + $0.stats.addedInWeek > 0 }.map { name, stats in
        "#\(name): \(Digesting.words(stats.completed, stats.addedInWeek))"
      }, "lists")
    lines += Digesting.first(
      people.map { "@\($0.username): \(Digesting.words($0.counts.completed, $0.counts.added))" },
      "people")
    let (onTime, late) = (
      total { $0.punctuality?.onTime ?? 0 }, total { $0.punctuality?.late ?? 0 }
    )
    if onTime + late > 0 { lines.append("in time: \(onTime) of \(onTime + late) with a deadline") }
    if lists.contains(where: \.stats.more) { lines.append("There was more than can be counted.") }
    return lines.joined(separator: "\n")
  }

  /// The most lists, and the most people, that one digest names: it has to fit into the notes of a post.
  private static let namedMax = 40

  private static func first(_ lines: [String], _ what: String) -> [String] {
    let rest = lines.count - namedMax
    return rest > 0 ? lines.prefix(namedMax) + ["and \(rest) more \(what)"] : lines
  }

  private var people: [(username: String, counts: (completed: Int, added: Int))] {
    var counts: [String: (completed: Int, added: Int)] = [:]
    for person in lists.flatMap(\.stats.people) {
      let known = counts[person.username, default: (0, 0)]
      counts[person.username] = (
        known.completed + person.completed, known.added + (person.added ?? 0)
      )
    }
    return counts.filter { $0.value.completed + $0.value.added > 0 }
      .map { (username: $0.key, counts: $0.value) }
      .sorted { left, right in
        (right.counts.completed, right.counts.added, left.username)
          < (left.counts.completed, left.counts.added, right.username)
      }
  }
}

extension TodoStats {
  /// The number of posts that were added. A week is short enough for the server to tell it.
  fileprivate var addedInWeek: Int { added ?? 0 }
}
