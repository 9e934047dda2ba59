// account.export (protocol §8 `account.export`): all that a person may read at this moment, stream by stream. Each page
// is read by itself and checks the access anew, so it costs no more than any other question, and nothing is held
// between two pages. Changes that happen meanwhile are in the log of their stream, which comes last.

package import Domain
package import Wire

extension Reader {
  /// Returns a page of the export. Begins and ends its own read transaction.
  func export(
    _ id: RequestID, _ identity: Identity, from place: ExportPlace?
  ) throws(StoreError) -> RequestOutcome {
    try store.read { () throws(StoreError) in
      .answer(Answer.export(id, try store.exportPage(of: identity.user, from: place)))
    }
  }
}

extension EventStore {
  /// Returns a page of the export. Call it within a read.
  package func exportPage(
    of user: UserID, from place: ExportPlace?
  ) throws(StoreError) -> ExportPage {
    var page = ExportInHand()
    var place = place
    let streams = try streams(of: user).sorted { $0.stream < $1.stream }
    while !page.isFull {
      guard let (access, at) = streams.next(from: place) else {
        // When a full page has no room for the end, the end is a page of its own.
        let isWhole = page.add(ExportLine.end)
        return ExportPage(lines: page.lines, after: isWhole ? nil : place)
      }
      place = try export(access, from: at, into: &page)
    }
    return ExportPage(lines: page.lines, after: place)
  }

  /// Adds a part of a stream, or as much of it as fits; returns the place at which to go on.
  private func export(
    _ access: StreamAccess, from place: ExportPlace, into page: inout ExportInHand
  ) throws(StoreError) -> ExportPlace {
    let (stream, number) = (access.stream, place.number)
    let rest: Int64?
    switch place.part {
    case .objects: return try exportObjects(access, from: place, into: &page)
    case .open: rest = try exportPosts(.open, in: stream, before: number, into: &page)
    case .done: rest = try exportPosts(.done, in: stream, before: number, into: &page)
    case .removed:
      // In a list that shows only part of its history, what was put into the bin before that part is not theirs
      // (§8 `post.list`).
      let isWhole = try firstRead(access) <= access.head.horizon + 1
      rest =
        isWhole ? try exportPosts(.removed, in: stream, before: number, into: &page) : nil
    case .events: rest = try exportEvents(access, after: number, into: &page)
    case .end: rest = nil
    }
    return ExportPlace(
      stream: stream, part: rest == nil ? place.part.next : place.part, number: rest ?? 0)
  }

  /// Adds the objects in the order of their keys, so that none is left out when others come and go between two pages.
  /// The number of the place is 1 when the line that names the stream was written already.
  private func exportObjects(
    _ access: StreamAccess, from place: ExportPlace, into page: inout ExportInHand
  ) throws(StoreError) -> ExportPlace {
    let stream = access.stream
    if place.number == 0 {
      let line = ExportLine.stream(
        stream, role: access.role, epoch: access.head.epoch, seq: access.head.seq,
        from: try firstRead(access))
      guard page.add(line) else { return place }
    }
    var objects: [(key: ObjectKey, body: [UInt8])] = []
    let shown = try talkShown(access)
    for kind in ObjectKind.allCases where kind != .post {
      for body in try self.objects(kind, in: stream) {
        let key = try decodedObject(body).key
        if shown.shows(key) { objects.append((key, body)) }
      }
    }
    objects.sort { $0.key < $1.key }
    var done = place.key
    for it in objects where done.map({ it.key > $0 }) ?? true {
      guard page.add(ExportLine.object(it.body)) else {
        return ExportPlace(stream: stream, part: .objects, number: 1, after: done)
      }
      done = it.key
    }
    return ExportPlace(stream: stream, part: .open)
  }

  /// Adds posts, the newest first; `number` 0 begins at the newest.
  private func exportPosts(
    _ shelf: PostShelf, in stream: StreamID, before number: Int64, into page: inout ExportInHand
  ) throws(StoreError) -> Int64? {
    guard case .category(let category) = stream else { return nil }
    var before = number == 0 ? nil : Int(number)
    while true {
      let bodies = try posts(in: category, on: shelf, before: before, limit: 20)
      for body in bodies {
        guard case .post(let post) = try decodedObject(body) else { continue }
        guard page.add(ExportLine.object(body)) else { return Int64(before ?? post.number + 1) }
        before = post.number
      }
      if bodies.isEmpty { return nil }
    }
  }

  private func exportEvents(
    _ access: StreamAccess, after number: Int64, into page: inout ExportInHand
  ) throws(StoreError) -> Int64? {
    var after = max(number, try firstRead(access) - 1)
    while after < access.head.seq {
      let events = try events(
        in: access.stream, after: after, through: access.head.seq, bytesMax: page.bytesLeft)
      for event in events {
        guard page.add(ExportLine.event(event.body, seq: event.seq)) else { return after }
        after = event.seq
      }
      if events.isEmpty { return nil }
    }
    return nil
  }
}

/// A page that is being made.
private struct ExportInHand {
  private(set) var lines: [[UInt8]] = []
  private var bytes = 0
  private(set) var isFull = false

  var bytesLeft: Int { max(1, Limits.pageBytesMax - bytes) }

  /// Adds a line. Returns false when the line belongs to the next page: no page is longer than a message, and each has
  /// at least one line.
  mutating func add(_ line: [UInt8]) -> Bool {
    guard lines.isEmpty || bytes + line.count <= Limits.pageBytesMax else {
      isFull = true
      return false
    }
    lines.append(line)
    bytes += line.count + 1
    return true
  }
}

extension [StreamAccess] {
  /// Returns the stream of a place, or the next one when that stream is done or not theirs any more.
  fileprivate func next(from place: ExportPlace?) -> (StreamAccess, ExportPlace)? {
    let next = first { access in
      guard let place else { return true }
      return place.part == .end ? access.stream > place.stream : access.stream >= place.stream
    }
    guard let next else { return nil }
    if let place, place.stream == next.stream { return (next, place) }
    return (next, ExportPlace(stream: next.stream, part: .objects))
  }
}
