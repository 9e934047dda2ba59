// People take back what they did, one thing or several. After a look they also take back what somebody else did since a
// moment.

import Domain
import Sync
import Wire

extension Workload {
  /// Undoes what the person did in a list that they see: one command (also an undo, which is a redo), or a few
  /// together.
  func undo(_ device: Device) -> Command? {
    let world = device.world
    guard let stream = world.random.pick(device.streams.filter { !$0.isUser }) else { return nil }
    let own = world.truth.streams[stream]?.events.suffix(40).filter { $0.by == device.person.id }
    guard let newest = own?.suffix(6).map(\.seq), !newest.isEmpty else { return nil }
    guard world.random.happens(300) else {
      return world.random.pick(newest).map {
        .undo(UndoTarget(stream: stream, events: [$0], seen: nil))
      }
    }
    return .undo(UndoTarget(stream: stream, events: newest, seen: nil))
  }

  /// Asks what an undo of somebody's doings since a moment would do; `previewed` goes on with the answer.
  func askWhatUndoWouldDo(_ device: Device) {
    let world = device.world
    guard let stream = world.random.pick(device.streams.filter { !$0.isUser }),
      let event = world.random.pick(world.truth.streams[stream]?.events.suffix(8).map { $0 } ?? []),
      let by = event.by
    else { return }
    let doings = UndoQuery.Selection.doings(of: by, since: event.at, until: nil)
    device.ask(.query(.history(.undo(UndoQuery(stream: stream, selection: doings)))))
  }

  /// Carries out an undo after the person has looked at it, mostly.
  static func previewed(_ query: UndoQuery, _ preview: UndoPreview, _ device: Device) {
    guard !preview.events.isEmpty, device.world.random.happens(800) else { return }
    let target = UndoTarget(stream: query.stream, events: preview.events, seen: preview.seen)
    send(.undo(target), device)
  }
}
