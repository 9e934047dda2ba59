// The tail of a connection that asked for whole objects (protocol §5.4): all events behind its cursor, and behind them
// the objects that these changed, as they are now. Both come from one read, so they make one copy.

import Domain
import Wire

extension Reader {
  /// Returns all events after `after` with their objects. It is a snapshot instead when that is more than a tail is
  /// worth, and in a `u:`: an object of it that is gone cannot be named by its key.
  func changes(
    _ form: SnapshotForm, _ access: StreamAccess, after: Int64, _ now: Int64
  ) throws(StoreError) -> HubReadAnswer<Frame> {
    let head = access.head
    if after == head.seq { return .tail(nil, through: after) }
    if case .user = access.stream { return try newestSnapshot(form, access, now) }
    guard after >= head.horizon else { return try newestSnapshot(form, access, now) }
    let past = try store.past(
      in: access.stream, after: after, through: head.seq, bytesMax: ReadingLimits.changesBytesMax)
    guard past.last?.seq == head.seq else { return try newestSnapshot(form, access, now) }
    guard let changed = try changedObjects(by: past, in: access, form.talk) else {
      return try newestSnapshot(form, access, now)
    }
    var pushes = try eventPushes(past, access, form.talk)
    pushes += changed.pushes(of: access.stream, epoch: head.epoch)
    return .changes(pushes.map(tools.frame), through: head.seq)
  }

  /// Returns the objects that the events changed, as they are now; nil when they are too large for a tail.
  private func changedObjects(
    by past: [StoredPast], in access: StreamAccess, _ talk: TalkShown
  ) throws(StoreError) -> ChangedObjects? {
    var keys: Set<ObjectKey> = []
    for event in past {
      let decoded = try event.decoded()
      for op in decoded.event.ops { keys.formUnion(op.touches(in: access.stream)) }
      for post in decoded.before.crossing { keys.insert(ObjectKey(kind: .post, id: post.uuid)) }
      keys.formUnion(decoded.before.droppedLines.map(TalkLine.key(of:)))
      keys.formUnion(decoded.before.droppedComments.map(Comments.key(of:)))
    }
    var bodies: [[UInt8]] = []
    var gone: [GoneObject] = []
    var bytes = 0
    for key in keys.sorted() where talk != .none || !key.kind.isTalk {
      if let body = try store.stateObject(key, in: access.stream) {
        guard talk.shows(key) else { continue }
        bytes += body.count
        guard bytes <= ReadingLimits.changesBytesMax else { return nil }
        bodies.append(body)
      } else if let name = GoneObject(key) {
        gone.append(name)
      } else {
        return nil
      }
    }
    return ChangedObjects(
      bodies: bodies, gone: gone, seq: access.head.seq, transaction: access.head.transaction)
  }

  private func eventPushes(
    _ past: [StoredPast], _ access: StreamAccess, _ talk: TalkShown
  ) throws(StoreError) -> [[UInt8]] {
    let bodies = try past.map { (it) throws(StoreError) in
      try talk.body(StoredEvent(seq: it.seq, body: it.body))
    }
    return Push.pages(ofBytes: bodies.map(\.count)).map { range in
      Push.events(
        access.stream, epoch: access.head.epoch, from: past[range.lowerBound].seq,
        bodies: Array(bodies[range]))
    }
  }
}
