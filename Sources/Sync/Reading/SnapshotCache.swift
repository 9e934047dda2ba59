// Snapshots that somebody pages through, and those that were asked for last (DESIGN §6).
//
// A storm of clients that come for the same list reads it once. A connection holds only the number of its next page;
// the pages are here. These rules hold:
//  - a snapshot that somebody is in the middle of keeps its pages, so a change of the list meanwhile makes nobody begin
//    again; all such snapshots together have at most `inUseBytesMax`, or there is a single larger one;
//  - a snapshot that finds no room is read page by page from the store, as long as the list stays as it is. Its plan
//    knows the objects of each page, so a page costs a page, not the list. When there is room, it is read whole; when
//    the list changes before that, it begins again;
//  - nobody keeps a place by being slow: a client that asks for no page for `idleMilliseconds`, or is not done after
//    `placeMilliseconds`, has pages only until somebody else needs the room;
//  - the snapshots that nobody is in the middle of are within `bytesMax`.

package import Domain
import Wire

/// The keys of the objects on each page of a snapshot, without the objects themselves.
package struct SnapshotPlan: Sendable {
  let head: StreamHead
  let pages: [[ObjectKey]]

  /// Makes a plan of the objects that are shown, in the order of a snapshot, with pages as `Push.snapshot` makes them.
  init(_ outline: StoredOutline, showing talk: TalkShown) {
    head = outline.head
    let shown = outline.objects.filter { talk.shows($0.key) }
    pages = Push.pages(ofBytes: shown.map(\.bytes)).map { $0.map { shown[$0].key } }
  }
}

/// A snapshot whose pages are given out.
package struct SnapshotPages<Frame: Sendable>: Sendable {
  let epoch: Epoch
  let seq: Int64
  /// The plan of a large snapshot; nil for a small one.
  let plan: SnapshotPlan?
  /// The pages as frames; nil when they had to make room.
  fileprivate(set) var frames: [Frame]?
  let pageCount: Int
  /// The bytes of the frames.
  let bytes: Int

  /// The number of clients that were given the first page but not the last one.
  fileprivate var readers = 0
  fileprivate var begunAt: Int64 = 0
  fileprivate var askedAt: Int64 = 0

  /// Makes a snapshot that is here whole.
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

  /// Makes a snapshot that is read page by page.
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

  /// Answers whether its pages stay although others need the room.
  fileprivate func isProtected(at now: Int64) -> Bool {
    readers > 0 && now - askedAt <= SnapshotLimits.idleMilliseconds
      && now - begunAt <= SnapshotLimits.placeMilliseconds
  }
}

/// The limits of snapshots, with their reasons.
enum SnapshotLimits {
  /// The size up to which a list is read at once, by one statement. A larger one is read page by page, so that no more
  /// of it is in memory than what is sent.
  static let wholeBytesMax: Int64 = 4 << 20
  /// How many times the bytes that are kept for others the snapshots in use may have.
  static let inUseFactor = 4
  /// The time after which a client counts as slow; a client that takes a page asks for the next one at once.
  static let idleMilliseconds: Int64 = 2_000
  /// The time for a whole snapshot: the largest list at some five megabytes a second.
  static let placeMilliseconds: Int64 = 10_000
  /// The number of plans that are kept, some 250 KB each for a full list.
  static let plansMax = 64
}

/// The form of a stream's snapshots: how much of its talk they hold.
package struct SnapshotForm: Hashable, Sendable {
  let stream: StreamID
  let talk: TalkShown

  package init(_ stream: StreamID, talk: TalkShown = .all) {
    self.stream = stream
    self.talk = talk
  }
}

package struct SnapshotCache<Frame: Sendable>: Sendable {
  private let bytesMax: Int
  private let inUseBytesMax: Int
  /// The bytes of all frames.
  package private(set) var bytes = 0
  /// The kept snapshots, those asked for longest ago first. There are few, because a snapshot of more than one page is
  /// rare.
  private var kept: [(form: SnapshotForm, snapshot: SnapshotPages<Frame>)] = []

  package init(bytesMax: Int) {
    self.bytesMax = bytesMax
    inUseBytesMax = bytesMax * SnapshotLimits.inUseFactor
  }

  /// Returns the snapshot at `seq`; nil when it is not kept. It counts as asked for now.
  package mutating func pages(
    of form: SnapshotForm, at seq: Int64, now: Int64 = 0
  ) -> SnapshotPages<Frame>? {
    guard let index = index(of: form, seq) else { return nil }
    var entry = kept.remove(at: index)
    entry.snapshot.askedAt = now
    kept.append(entry)
    return entry.snapshot
  }

  /// Answers whether this many bytes may be taken for a snapshot that somebody begins or goes on with; makes room for
  /// them.
  mutating func takes(_ size: Int, now: Int64) -> Bool {
    while bytes > 0, bytes + size > inUseBytesMax, dropFrames(before: kept.count, now: now) {}
    return bytes == 0 || bytes + size <= inUseBytesMax
  }

  /// Keeps a snapshot, in the place of the same one without frames.
  package mutating func keep(
    _ snapshot: SnapshotPages<Frame>, of form: SnapshotForm, now: Int64 = 0
  ) {
    var snapshot = snapshot
    (snapshot.begunAt, snapshot.askedAt) = (now, now)
    if let index = index(of: form, snapshot.seq) {
      let old = kept.remove(at: index).snapshot
      bytes -= old.frameBytes
      snapshot.readers = old.readers
    }
    kept.append((form, snapshot))
    bytes += snapshot.frameBytes
    trim(to: kept.count - 1, now: now)
  }

  /// Notes that a page was given to a client: with the first page the client begins, with the last it is done.
  mutating func noteGiven(_ page: Int, of form: SnapshotForm, at seq: Int64, now: Int64) {
    guard let index = index(of: form, seq) else { return }
    if page == 0 { kept[index].snapshot.readers += 1 }
    if page + 1 == kept[index].snapshot.pageCount {
      kept[index].snapshot.readers = max(0, kept[index].snapshot.readers - 1)
      trim(to: kept.count, now: now)
    }
  }

  /// Drops a snapshot; none of its pages is given out any more.
  mutating func forget(_ form: SnapshotForm, at seq: Int64) {
    guard let index = index(of: form, seq) else { return }
    bytes -= kept.remove(at: index).snapshot.frameBytes
  }

  private func index(of form: SnapshotForm, _ seq: Int64) -> Int? {
    kept.lastIndex { $0.form == form && $0.snapshot.seq == seq }
  }

  /// Drops snapshots beyond the limits, but none from `end` on for their bytes.
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

  /// Drops the frames of the snapshot that was asked for longest ago and keeps no place. Answers false when there is
  /// none.
  private mutating func dropFrames(before end: Int, now: Int64) -> Bool {
    let index = kept[..<end].firstIndex {
      $0.snapshot.frames != nil && !$0.snapshot.isProtected(at: now)
    }
    guard let index else { return false }
    bytes -= kept[index].snapshot.frameBytes
    kept[index].snapshot.frames = nil
    // A small snapshot is read again as fast as it is planned.
    if kept[index].snapshot.plan == nil { kept.remove(at: index) }
    return true
  }
}
