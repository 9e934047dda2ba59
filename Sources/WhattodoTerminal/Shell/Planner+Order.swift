import Client
import Domain
import Screen
import Sync
import Wire

// Plans for the order of one's own lists. It belongs to one's own stream, and nobody else sees it.

extension Planner {
  /// Moves lists to a place, in the order in which they are named. Each goes before the next one, from the last on, so
  /// that lists which stand there already are not moved.
  func move(lists references: [Reference], to target: ListTarget) throws(Problem) -> PlannedRequest
  {
    var lists: [Domain.Category] = []
    for reference in references {
      let list = try situation.catalog.list(reference)
      if !lists.contains(where: { $0.id == list.id }) { lists.append(list) }
    }
    var lower = try list(below: lists.map(\.id), target)
    var commands: [Command] = []
    for list in lists.reversed() {
      commands.append(.category(.move(list.id, before: lower)))
      lower = list.id
    }
    guard commands.count <= Limits.batchCommandsMax else {
      throw Problem("at most \(Limits.batchCommandsMax) lists go at once")
    }
    let labels = lists.map(\.tag).joined(separator: " ")
    return PlannedRequest(
      request: .command(
        commands.count == 1 ? commands[0] : .batch(commands), key: Identifiers.key()),
      report: .told(
        made: "\(labels): \(try words(for: target)) now",
        same: "\(labels): \(try words(for: target)) already"))
  }

  /// Returns the list before which they go; nil behind all others.
  private func list(
    below moved: [CategoryID], _ target: ListTarget
  ) throws(Problem) -> CategoryID? {
    switch target {
    // The top is also before archived and removed lists, which come back where they were.
    case .top: return situation.ownStream?.listsInOrder.first { !moved.contains($0) }
    case .bottom: return nil
    case .before(let reference):
      let other = try situation.catalog.list(reference)
      guard !moved.contains(other.id) else {
        throw Problem("\(other.tag) is one of those that shall stand before it")
      }
      return other.id
    }
  }

  private func words(for target: ListTarget) throws(Problem) -> Phrase {
    switch target {
    case .top: "at the top of your lists"
    case .bottom: "at the bottom of your lists"
    case .before(let reference): "before \(try situation.catalog.list(reference).tag)"
    }
  }
}
