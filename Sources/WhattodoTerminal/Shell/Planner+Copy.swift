import Client
import Domain
import Screen
import Sync
import Wire

// A copy of a list is a new list with the same tags, and copies of its posts in their order. It is sent in batches,
// each a command of its own. So a long list never becomes one event that nobody could read, and other people's commands
// come between. An interrupted copy goes on where it was, because each batch has its key in the queue. A batch with a
// post that somebody meanwhile removes or erases is refused; that is told, and the batch waits in /unsent.

extension Planner {
  func copy(list reference: Reference, _ wish: CopyWish) throws(Problem) -> [PlannedRequest] {
    let list = try situation.catalog.list(reference)
    guard let state = situation.streams[.category(list.id)] else {
      throw Problem("\(list.tag) is not here yet")
    }
    let id = CategoryID(Identifiers.make())
    let name = wish.name ?? list.name + " copy"
    // A post whose text was erased is not copied.
    let posts = (state.openPosts + (wish.withDone ? state.donePosts.reversed() : []))
      .filter { !$0.title.isEmpty }
    guard posts.count <= Planner.copiedMax else {
      throw Problem("\(list.tag) has \(posts.count) posts; at most \(Planner.copiedMax) are copied")
    }
    let days = try days(of: posts, in: list, first: wish.firstDue)
    let new = NewCategory(name: name, group: list.group, zone: list.zone, color: list.color)
    var parts = CopyParts()
    parts.add(.category(.add(id, new)), bytes: 0)
    for tag in state.tags {
      parts.add(.changeTag(id, tag.id, .add(name: tag.name, color: tag.color)), bytes: 0)
    }
    for post in posts {
      let change = PostChange.copy(
        as: PostID(Identifiers.make()), to: id, days: post.due == nil ? 0 : days)
      parts.add(
        .post(.change(list.id, post.id, change)), bytes: ObjectCodec.encode(.post(post)).count)
    }
    return parts.batches.enumerated().map { index, commands in
      let isLast = index == parts.batches.count - 1
      let end: Phrase = "\(list.tag) is copied; /rm #\(name.oneWord) takes that back"
      return change(.batch(commands), isLast ? end : "copying \(list.tag) …", told: isLast)
    }
  }

  /// The maximum of posts. Commands that are typed next wait behind the copy: at most a minute, by the rate of
  /// commands.
  private static let copiedMax = 1_000

  /// Returns by how many days the copies are due later than the posts of the list.
  private func days(
    of posts: [Post], in list: Category, first wish: DueWish?
  ) throws(Problem) -> Int {
    guard let wish else { return 0 }
    guard let first = situation.due(wish, in: list) else { throw Problem("there is no such day") }
    guard let earliest = posts.compactMap({ $0.due?.day }).min() else {
      throw Problem("nothing in it is due")
    }
    return first.day.number - earliest.number
  }
}

/// Commands in as many batches as they need. A batch has at most a hundred, and posts that fit into one event.
private struct CopyParts {
  private(set) var batches: [[Command]] = []
  private var bytes = 0

  private static let bytesMax = Limits.eventBytesMax / 2

  mutating func add(_ command: Command, bytes more: Int) {
    let isFull = batches.last.map { $0.count >= Limits.batchCommandsMax } ?? true
    if isFull || (bytes > 0 && bytes + more > CopyParts.bytesMax) {
      batches.append([])
      bytes = 0
    }
    batches[batches.count - 1].append(command)
    bytes += more
  }
}
