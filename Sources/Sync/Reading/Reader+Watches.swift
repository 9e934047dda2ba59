// The data for a connection that watches a stream: the next events, or a page of a snapshot.

import Domain
import Wire

extension Reader {
  /// Answers the read of a watch. Begins and ends its own read transaction. `now` is in milliseconds of the monotonic
  /// clock.
  package func answer(
    _ read: HubRead, at now: Int64 = 0
  ) throws(StoreError) -> HubReadAnswer<Frame> {
    try store.read { () throws(StoreError) in try answerAtOnce(read, now) }
  }

  private func answerAtOnce(
    _ read: HubRead, _ now: Int64
  ) throws(StoreError) -> HubReadAnswer<Frame> {
    guard let access = try store.access(of: read.user, to: read.stream) else { return .gone }
    let form = SnapshotForm(read.stream, talk: try store.talkShown(access, to: read.user))
    switch read.want {
    case .tail(let after):
      guard after >= access.joinedSeq, access.head.seq - after <= HubLimits.tailEventsMax else {
        return try newestSnapshot(form, access, now)
      }
      if read.wantsObjects { return try changes(form, access, after: after, now) }
      return try tail(form, access, after: after, now)
    case .page(let page, let seq):
      guard let seq, page > 0 else { return try newestSnapshot(form, access, now) }
      // The first pages were sent. When the snapshot contains a text that is erased by now, it begins again.
      guard seq >= access.head.erasedSeq else {
        snapshots.forget(form, at: seq)
        return .lost
      }
      guard seq >= access.joinedSeq else { return .lost }
      if let kept = snapshots.pages(of: form, at: seq, now: now) {
        return try give(page, of: kept, form, access, now)
      }
      // The snapshot had to make room for others. While the state is the same, so are the pages.
      guard access.head.seq == seq else { return .lost }
      return try give(page, of: try begin(form, now), form, access, now)
    }
  }

  private func tail(
    _ form: SnapshotForm, _ access: StreamAccess, after: Int64, _ now: Int64
  ) throws(StoreError) -> HubReadAnswer<Frame> {
    // The horizon has passed the cursor since the connection was told that a tail follows.
    guard after >= access.head.horizon else { return try newestSnapshot(form, access, now) }
    let events = try store.events(
      in: access.stream, after: after, through: access.head.seq, bytesMax: Limits.pageBytesMax)
    guard let last = events.last else { return .tail(nil, through: after) }
    let bodies = try events.map { (it) throws(StoreError) in try form.talk.body(it) }
    let push = Push.events(
      access.stream, epoch: access.head.epoch, from: after + 1, bodies: bodies)
    return .tail(tools.frame(push), through: last.seq)
  }

  func newestSnapshot(
    _ form: SnapshotForm, _ access: StreamAccess, _ now: Int64
  ) throws(StoreError) -> HubReadAnswer<Frame> {
    if let kept = snapshots.pages(of: form, at: access.head.seq, now: now) {
      snapshotHits += 1
      return try give(0, of: kept, form, access, now)
    }
    return try give(0, of: try begin(form, now), form, access, now)
  }

  /// Returns a page of a snapshot that is kept whole, or whose state is still the present one.
  private func give(
    _ page: Int, of kept: SnapshotPages<Frame>?, _ form: SnapshotForm, _ access: StreamAccess,
    _ now: Int64
  ) throws(StoreError) -> HubReadAnswer<Frame> {
    guard let kept, page < kept.pageCount else { return .lost }
    guard let frame = try frame(page, of: kept, form, access, now) else {
      snapshots.forget(form, at: kept.seq)
      return .lost
    }
    snapshots.noteGiven(page, of: form, at: kept.seq, now: now)
    return .page(frame, kept.place(page))
  }

  private func frame(
    _ page: Int, of kept: SnapshotPages<Frame>, _ form: SnapshotForm, _ access: StreamAccess,
    _ now: Int64
  ) throws(StoreError) -> Frame? {
    if let frames = kept.frames { return frames[page] }
    guard let plan = kept.plan, access.head.seq == kept.seq else { return nil }
    guard snapshots.takes(kept.bytes, now: now) else {
      return try self.page(page, of: plan, access.stream).map { tools.frame($0) }
    }
    // There is room for it by now.
    let whole = try whole(plan, of: access.stream)
    if let whole { snapshots.keep(whole, of: form, now: now) }
    return whole?.frames?[page]
  }

  // MARK: The store

  /// Reads the present state, as much of it as there is room for; nil when there is no such stream.
  private func begin(
    _ form: SnapshotForm, _ now: Int64
  ) throws(StoreError) -> SnapshotPages<Frame>? {
    snapshotMisses += 1
    guard let bytes = try store.stateBytes(of: form.stream) else { return nil }
    let isKept = snapshots.takes(Int(bytes), now: now)
    let snapshot =
      isKept && bytes <= SnapshotLimits.wholeBytesMax
      ? try readAtOnce(form) : try readInPages(form, Int(bytes), all: isKept)
    if let snapshot { snapshots.keep(snapshot, of: form, now: now) }
    return snapshot
  }

  private func readAtOnce(_ form: SnapshotForm) throws(StoreError) -> SnapshotPages<Frame>? {
    guard let snapshot = try store.snapshot(of: form.stream) else { return nil }
    // `filter` throws errors of no type.
    var shown = snapshot.objects
    if form.talk != .all {
      shown = []
      for body in snapshot.objects where try form.talk.shows(body) { shown.append(body) }
    }
    let pushes = Push.snapshot(
      form.stream, epoch: snapshot.head.epoch, seq: snapshot.head.seq,
      transaction: snapshot.head.transaction, bodies: shown)
    return SnapshotPages(
      epoch: snapshot.head.epoch, seq: snapshot.head.seq, frames: pushes.map(tools.frame),
      bytes: pushes.reduce(0) { $0 + $1.count })
  }

  private func readInPages(
    _ form: SnapshotForm, _ bytes: Int, all: Bool
  ) throws(StoreError) -> SnapshotPages<Frame>? {
    guard let outline = try store.outline(of: form.stream) else { return nil }
    let plan = SnapshotPlan(outline, showing: form.talk)
    guard all else { return SnapshotPages(plan, bytes: bytes) }
    return try whole(plan, of: form.stream)
  }

  /// Reads one page at a time, so that no more of the state is in memory than what is sent.
  private func whole(
    _ plan: SnapshotPlan, of stream: StreamID
  ) throws(StoreError) -> SnapshotPages<Frame>? {
    var frames: [Frame] = []
    var bytes = 0
    for index in plan.pages.indices {
      guard let push = try page(index, of: plan, stream) else { return nil }
      bytes += push.count
      frames.append(tools.frame(push))
    }
    return SnapshotPages(
      epoch: plan.head.epoch, seq: plan.head.seq, frames: frames, bytes: bytes, plan: plan)
  }

  /// Reads a page; nil when an object of it is gone, because the state has changed.
  private func page(
    _ index: Int, of plan: SnapshotPlan, _ stream: StreamID
  ) throws(StoreError) -> [UInt8]? {
    var bodies: [[UInt8]] = []
    for key in plan.pages[index] {
      guard let body = try store.object(key, in: stream) else { return nil }
      bodies.append(body)
    }
    return Push.snapshotPage(
      stream, epoch: plan.head.epoch, seq: plan.head.seq, transaction: plan.head.transaction,
      page: index, of: plan.pages.count, bodies: bodies)
  }
}
