// Copies as a simple client keeps them: whole objects, and no rule of any op (protocol §5.4). They have to be what the
// ops make of the same events.

import Domain
import Sync
import Wire

/// The copies of one device that asks for whole objects.
struct WholeCopies {
  private struct Copy {
    var cursor: CursorPosition
    var objects: [ObjectKey: Object]
  }

  private var copies: [StreamID: Copy] = [:]
  /// The pages of a snapshot that has begun.
  private var pages: [StreamID: [Object]] = [:]
  /// The objects whose cursor has not come yet.
  private var waiting: [StreamID: [ObjectKey: Object?]] = [:]

  /// Begins a connection. A copy goes on from its cursor, if the hello named that one; another one is made anew.
  mutating func connect(_ replica: Replica) {
    pages = [:]
    waiting = [:]
    copies = replica.streams.reduce(into: [:]) { kept, stream in
      guard let cursor = replica.cursor(of: stream), let state = replica.state(of: stream) else {
        return
      }
      let known = copies[stream]
      kept[stream] =
        known?.cursor == cursor ? known : Copy(cursor: cursor, objects: state.objects)
    }
  }

  mutating func take(_ page: SnapshotPage) {
    if page.page == 1 {
      pages[page.stream] = []
      waiting[page.stream] = nil
    }
    pages[page.stream]?.append(contentsOf: page.objects)
    guard page.page == page.pages, let all = pages.removeValue(forKey: page.stream) else { return }
    copies[page.stream] = Copy(
      cursor: CursorPosition(epoch: page.epoch, seq: page.seq, transaction: page.transaction),
      objects: Dictionary(all.map { ($0.key, $0) }, uniquingKeysWith: { $1 }))
  }

  /// Takes a push. Returns whether the copy of its stream has reached another cursor.
  mutating func take(_ push: ObjectsPush) -> Bool {
    for object in push.objects {
      waiting[push.stream, default: [:]].updateValue(object, forKey: object.key)
    }
    for gone in push.gone { waiting[push.stream, default: [:]].updateValue(nil, forKey: gone.key) }
    guard let cursor = push.cursor else { return false }
    let changes = waiting.removeValue(forKey: push.stream) ?? [:]
    guard let copy = copies[push.stream] else { return false }
    // The events are sent again, after a `sync.open` with an old cursor.
    if copy.cursor.epoch == cursor.epoch, cursor.seq <= copy.cursor.seq { return false }
    copies[push.stream]?.cursor = cursor
    for (key, object) in changes { copies[push.stream]?.objects[key] = object }
    return true
  }

  mutating func drop(_ stream: StreamID) {
    copies[stream] = nil
    pages[stream] = nil
    waiting[stream] = nil
  }

  /// Returns the first difference from the copy that ops made; nil when there is none.
  /// Lines before `first` do not count: a change brings one whole that the replica has not.
  func difference(
    from replica: Replica, in stream: StreamID, linesFrom first: Int64
  ) -> String? {
    guard let copy = copies[stream], let state = replica.state(of: stream) else { return nil }
    guard replica.cursor(of: stream) == copy.cursor else {
      return "is at \(copy.cursor.seq), and the events are at another"
    }
    let keys = Set(copy.objects.keys).union(state.objects.keys).filter {
      $0.kind != .line || Int64(bitPattern: $0.id.high) >= first
    }
    return keys.sorted().first { copy.objects[$0] != state.objects[$0] }.map {
      "\($0) is \(copy.objects[$0].map { "\($0)" } ?? "gone") at \(copy.cursor.seq)"
    }
  }
}
