// Lines about what happened in a list or a group, as the chat would have shown it. Names are the present ones, and the
// newest event is at the bottom.

import Client
import Domain
import Screen
import Sync
import Wire

enum HistoryLines {
  static func lines(
    _ page: HistoryPage, of place: ListOrGroup, about post: PostID? = nil, _ situation: Situation
  ) throws(WireError) -> [Line] {
    let lines = try events(page, of: place, about: post, situation) { _ in true }
    guard !lines.isEmpty else {
      return [Line("nothing happened in \(place.label) that you may read", .dim)]
    }
    return lines
  }

  /// Returns the lines of the events that are wanted, the oldest first; none when nothing of that happened. A page is
  /// never all of a long past, and the first line says so.
  static func events(
    _ page: HistoryPage, of place: ListOrGroup, about post: PostID? = nil, _ situation: Situation,
    where isWanted: (Event) -> Bool
  ) throws(WireError) -> [Line] {
    let events = try page.events()
    let teller = teller(of: page, events, in: place.stream, situation)
    let lines = events.filter(isWanted).flatMap { event in
      let event = post.map { event.about($0, in: place.stream) } ?? event
      return teller.timed(
        AppliedEvent(event: event, changes: [], notifications: []), in: place.stream)
    }
    return page.before == nil ? lines : [Line("… there is more before", .dim)] + lines
  }

  /// Returns what makes lines of the events of a page, by present titles. The events are the oldest first.
  static func teller(
    of page: HistoryPage, _ events: [Event], in stream: StreamID, _ situation: Situation
  ) -> EventLines {
    let titles = Dictionary(
      page.posts.map { ($0.id, $0.title.isEmpty ? "#\($0.number)" : $0.title) },
      uniquingKeysWith: { first, _ in first })
    var situation = situation
    for event in events { situation.undos[stream, default: .init()].hear(event) }
    return EventLines(situation: situation, titles: titles, past: events)
  }

  /// Says where a post is that is not in the list any more. The list's log of posts that left it still knows its old
  /// number.
  static func whereabouts(
    of number: Int, in list: Category, _ page: HistoryPage, _ situation: Situation
  ) -> String {
    guard let gone = page.posts.first(where: { $0.number == number }) else {
      return "there is no #\(number) in \(list.tag)"
    }
    for stream in situation.streams.keys.sorted() where stream != .category(list.id) {
      guard let state = situation.streams[stream], state.category?.removed == nil,
        let there = state.post(gone.id)
      else { continue }
      return "#\(number) has moved from \(list.tag) to \(situation.label(stream)): "
        + "it is #\(there.number) there"
    }
    return "#\(number) has moved from \(list.tag) to another list"
  }

  /// Returns a line for an object that an undo left as it was.
  static func skipped(_ skip: UndoSkip) -> Line {
    let what: Phrase = skip.number.map { "#\($0)" } ?? (skip.post == nil ? "the list" : "a post")
    let why: Phrase =
      switch skip.reason {
      case .later: "was changed since"
      case .removed: "is removed"
      case .forbidden: "is not yours to change back"
      case .never where skip.post != nil: "moved between lists, which is undone by itself"
      case .never: "has members, invitations or settings that are never undone"
      }
    return Line("left as it is: \(what) \(why)", .dim)
  }
}

extension Event {
  /// Returns the event with only the ops about one post.
  func about(_ post: PostID, in stream: StreamID) -> Event {
    Event(
      seq: seq, transaction: transaction, at: at, by: by, key: key, undoes: undoes,
      ops: ops.filter { $0.isAbout(post, in: stream) })
  }
}

extension HistoryPage {
  /// Reads the events, the oldest first.
  func events() throws(WireError) -> [Event] {
    var events: [Event] = []
    for line in lines.reversed() { events.append(try line.event()) }
    return events
  }
}
