// Snapshots that somebody pages through, and those that were asked for last (DESIGN §6).
//
// A storm of clients that come for the same list reads it once. A connection holds only the number of its next page;
// the pages are here. What holds:
//  - a snapshot that somebody is in the middle of keeps its pages, so a change of the list meanwhile starts nothing again; all
//    such snapshots together have at most `inUseBytesMax`, or one of them is larger alone;
//  - one that finds no room is read page by page from the store, as long as the list stays as it is. Its places are in its
//    plan, so a page costs a page, not the list. When there is room, it is read whole; when the list changes before that, it
//    begins again;
//  - nobody keeps a place by being slow: who asks for no page for `idleMilliseconds`, or is not done after
//    `placeMilliseconds`, has pages only until somebody else needs the room;
//  - what nobody is in the middle of is within `bytesMax`.

package import Domain

/// What the pages of a snapshot hold, without the objects themselves.
package struct SnapshotPlan: Sendable {
  let head: StreamHead
  let pages: [[ObjectKey]]

  /// In the order of a snapshot; pages as `Push.snapshot` makes them.
  init(_ outline: StoredOutline, pages: [Range<Int>]) {
    head = outline.head
    self.pages = pages.map { $0.map { outline.objects[$0].key } }
  }
}

/// A snapshot of which pages are given out.
package struct SnapshotPages<Frame: Sendable>: Sendable {
  let epoch: Epoch
  let seq: Int64
  /// Of a large one: what each page holds.
  let plan: SnapshotPlan?
  /// Nil when they had to make room.
  fileprivate(set) var frames: [Frame]?
  let pageCount: Int
  /// What the frames weigh.
  let bytes: Int

  /// Clients that were given the first page, without those that were given the last one.
  fileprivate var readers = 0
  fileprivate var begunAt: Int64 = 0
  fileprivate var askedAt: Int64 = 0

  /// One that is here whole.
  package init(
    epoch: Epoch, seq: Int64, frames: [Frame], bytes: Int, plan: SnapshotPlan? = nil
  ) {
    self.epoch = epoch
    self.seq = seq
    self.frames = frames
    self.bytes = bytes
    self.plan = plan
    pageCount = frames.count
  }

  /// One that is read page by page.
  init(_ plan: SnapshotPlan, bytes: Int) {
    epoch = plan.head.epoch
    seq = plan.head.seq
    frames = nil
    self.bytes = bytes
    self.plan = plan
    pageCount = plan.pages.count
  }

  func place(_ page: Int) -> SnapshotPlace {
    SnapshotPlace(epoch: epoch, seq: seq, page: page, pages: pageCount)
  }

  var frameBytes: Int { frames == nil ? 0 : bytes }

  /// Whether its pages stay although others need the room.
  fileprivate func isProtected(at now: Int64) -> Bool {
    readers > 0 && now - askedAt <= SnapshotLimits.idleMilliseconds
      && now - begunAt <= SnapshotLimits.placeMilliseconds
  }
}

/// Why snapshots take the room that they take.
enum SnapshotLimits {
  /// Up to here a list is read at once, by one statement; a larger one page by page, so that no more of it is in memory
  /// than what is sent.
  static let wholeBytesMax: Int64 = 4 << 20
  /// In the middle of snapshots there may be so many times as many bytes as are kept for others.
  static let inUseFactor = 4
  /// Who takes a page asks for the next one at once.
  static let idleMilliseconds: Int64 = 2_000
  /// The largest list at some five megabytes a second.
  static let placeMilliseconds: Int64 = 10_000
  /// Some 250 KB each of a full list.
  static let plansMax = 64
}

package struct SnapshotCache<Frame: Sendable>: Sendable {
  private let bytesMax: Int
  private let inUseBytesMax: Int
  /// Of all frames.
  package private(set) var bytes = 0
  /// Asked for longest ago first; short, for a snapshot of more than one page is rare.
  private var kept: [(stream: StreamID, snapshot: SnapshotPages<Frame>)] = []

  package init(bytesMax: Int) {
    self.bytesMax = bytesMax
    inUseBytesMax = bytesMax * SnapshotLimits.inUseFactor
  }

  /// It counts as asked for now.
  package mutating func pages(
    of stream: StreamID, at seq: Int64, now: Int64 = 0
  ) -> SnapshotPages<Frame>? {
    guard let index = index(of: stream, seq) else { return nil }
    var entry = kept.remove(at: index)
    entry.snapshot.askedAt = now
    kept.append(entry)
    return entry.snapshot
  }

  /// Whether so many bytes may be taken for a snapshot that somebody begins or goes on with; makes room for them.
  mutating func takes(_ size: Int, now: Int64) -> Bool {
    while bytes > 0, bytes + size > inUseBytesMax, dropFrames(before: kept.count, now: now) {}
    return bytes == 0 || bytes + size <= inUseBytesMax
  }

  /// Keeps a snapshot, in the place of the same one without frames.
  package mutating func keep(
    _ snapshot: SnapshotPages<Frame>, of stream: StreamID, now: Int64 = 0
  ) {
    var snapshot = snapshot
    (snapshot.begunAt, snapshot.askedAt) = (now, now)
    if let index = index(of: stream, snapshot.seq) {
      let old = kept.remove(at: index).snapshot
      bytes -= old.frameBytes
      snapshot.readers = old.readers
    }
    kept.append((stream, snapshot))
    bytes += snapshot.frameBytes
    trim(to: kept.count - 1, now: now)
  }

  /// A page was given to a client: the first one begins there, the last one ends.
  mutating func noteGiven(_ page: Int, of stream: StreamID, at seq: Int64, now: Int64) {
    guard let index = index(of: stream, seq) else { return }
    if page == 0 { kept[index].snapshot.readers += 1 }
    if page + 1 == kept[index].snapshot.pageCount {
      kept[index].snapshot.readers = max(0, kept[index].snapshot.readers - 1)
      trim(to: kept.count, now: now)
    }
  }

  /// No page of it is given out any more.
  mutating func forget(_ stream: StreamID, at seq: Int64) {
    guard let index = index(of: stream, seq) else { return }
    bytes -= kept.remove(at: index).snapshot.frameBytes
  }

  private func index(of stream: StreamID, _ seq: Int64) -> Int? {
    kept.lastIndex { $0.stream == stream && $0.snapshot.seq == seq }
  }

  /// `end`: from there on nothing goes.
  private mutating func trim(to end: Int, now: Int64) {
    let spared = kept.count - end
    while bytes > bytesMax, dropFrames(before: kept.count - spared, now: now) {}
    while kept.count > ReadingLimits.snapshotsMax {
      bytes -= kept.removeFirst().snapshot.frameBytes
    }
    while kept.count(where: { $0.snapshot.plan != nil }) > SnapshotLimits.plansMax,
      let index = kept.firstIndex(where: { $0.snapshot.plan != nil })
    {
      bytes -= kept.remove(at: index).snapshot.frameBytes
    }
  }

  /// Of the one that was asked for longest ago and keeps no place. False when there is none.
  private mutating func dropFrames(before end: Int, now: Int64) -> Bool {
    let index = kept[..<end].firstIndex {
      $0.snapshot.frames != nil && !$0.snapshot.isProtected(at: now)
    }
    guard let index else { return false }
    bytes -= kept[index].snapshot.frameBytes
    kept[index].snapshot.frames = nil
    // A small one is read again as fast as it is planned.
    if kept[index].snapshot.plan == nil { kept.remove(at: index) }
    return true
  }
}
