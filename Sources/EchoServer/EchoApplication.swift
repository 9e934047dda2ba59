import Net
import WebSocket

/// The application of one loop of the echo server.
final class EchoApplication: LoopApplication {
  static let echoPath = "/echo"
  static let subscribePath = "/bcast"
  static let publishPath = "/pub"
  static let paths = [echoPath, subscribePath, publishPath]

  private enum Role { case echo, subscriber, publisher }

  private struct Guest {
    let id: ConnectionID
    let role: Role
    /// The place of the connection in `subscribers`, if it is one of them.
    var place = 0
  }

  /// The most bytes that may wait for a subscriber. One that does not read misses what is published while more wait for
  /// it.
  private static let subscriberBytesMax = 4 << 20

  private let index: Int
  private let inboxes: [Mailbox<SharedFrame>]
  private var loop: Loop?
  /// The connections by slot; nil for an empty slot.
  private var guests: [Guest?] = []
  private var guestCount = 0
  private var subscribers: [ConnectionID] = []
  private var isStopping = false
  /// The frames that this turn published, for the other loops.
  private var published: [SharedFrame] = []

  init(_ index: Int, _ inboxes: [Mailbox<SharedFrame>]) {
    self.index = index
    self.inboxes = inboxes
  }

  func started(_ loop: Loop) {
    self.loop = loop
    do {
      try loop.attach(inboxes[index])
    } catch {
      preconditionFailure("the mailbox of loop \(index): \(error)")
    }
  }

  func opened(_ connection: ConnectionID, _ opening: Opening) {
    let slot = Int(connection.slot)
    while guests.count <= slot { guests.append(nil) }
    guestCount += 1
    switch opening.path {
    case EchoApplication.subscribePath:
      guests[slot] = Guest(id: connection, role: .subscriber, place: subscribers.count)
      subscribers.append(connection)
    case EchoApplication.publishPath: guests[slot] = Guest(id: connection, role: .publisher)
    default: guests[slot] = Guest(id: connection, role: .echo)
    }
  }

  func received(_ connection: ConnectionID, _ kind: MessageKind, _ payload: Span<UInt8>) {
    switch guests[Int(connection.slot)]?.role {
    case .echo:
      loop?.send(kind, payload, to: connection)
      // A client that does not read the answers is not read.
      if let loop, loop.pendingBytes(connection) > 0 { loop.pauseReading(connection) }
    case .publisher:
      let frame = SharedFrame(kind, payload)
      broadcast(frame)
      if inboxes.count > 1 { published.append(frame) }
    case .subscriber, nil: break
    }
  }

  func writable(_ connection: ConnectionID) {
    loop?.resumeReading(connection)
  }

  func closed(_ connection: ConnectionID, _ ending: Ending) {
    let slot = Int(connection.slot)
    guard let guest = guests[slot] else { return }
    guests[slot] = nil
    guestCount -= 1
    if guest.role == .subscriber { unsubscribe(guest) }
    if isStopping, guestCount == 0 { loop?.end() }
  }

  func woken() {
    for frame in inboxes[index].take() { broadcast(frame) }
  }

  func turnEnded() {
    guard !published.isEmpty else { return }
    for other in inboxes.indices where other != index {
      inboxes[other].post(contentsOf: published)
    }
    published.removeAll()
  }

  func stopRequested() {
    isStopping = true
    if guestCount == 0 { loop?.end() }
    for case let guest? in guests { loop?.close(guest.id, .goingAway) }
  }

  func acceptPaused(_ error: NetError) {
    Program.log("accepting rests for a moment: \(error)")
  }

  /// Removes a subscriber. The last one takes its place.
  private func unsubscribe(_ guest: Guest) {
    let last = subscribers.removeLast()
    guard last != guest.id else { return }
    subscribers[guest.place] = last
    guests[Int(last.slot)]?.place = guest.place
  }

  private func broadcast(_ frame: SharedFrame) {
    guard let loop else { return }
    for subscriber in subscribers
    where loop.pendingBytes(subscriber) <= EchoApplication.subscriberBytesMax {
      loop.send(frame, to: subscriber)
    }
  }
}
