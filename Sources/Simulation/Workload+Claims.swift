// Hellos that claim something else than the client has. A server must expect them of a client with an old or a damaged
// file, of one that guesses, and of one that was somewhere else before.

import Domain
import Sync
import Wire

/// The fault of the cursors of one hello.
enum Claim: CaseIterable {
  case ahead, diverged, epoch, old
  /// Cursors of streams that nobody has or that the person was put out of, with numbers below zero, or too many.
  case unknown, left, negative, thousands
}

extension Workload {
  /// Returns the bytes that are really sent.
  mutating func disturbed(
    _ envelope: RequestEnvelope, _ bytes: [UInt8], of device: Device
  ) -> [UInt8] {
    guard case .hello(let hello) = envelope.request, !hello.cursors.isEmpty,
      let claim = claims.removeValue(forKey: device.index)
    else { return bytes }
    let other = Hello(
      token: hello.token, client: hello.client, cursors: hello.cursors.disturbed(claim, device),
      streams: hello.streams, features: hello.features, link: hello.link)
    return Request.hello(other).encoded(id: envelope.id)
  }
}

extension [Cursor] {
  fileprivate func disturbed(_ claim: Claim, _ device: Device) -> [Cursor] {
    let world = device.world
    switch claim {
    case .ahead, .diverged, .epoch, .old, .negative: return changed(claim, world)
    case .unknown:
      world.count(.cursorUnknown)
      return self + [.made(up: &world.random)]
    case .left:
      let left = world.truth.order.filter {
        world.truth.streams[$0]?.isMember(device.person.id) == false
      }
      guard let stream = world.random.pick(left),
        let event = world.truth.streams[stream]?.events.first
      else { return self }
      world.count(.cursorLeft)
      let place = CursorPosition(
        epoch: world.truth.streams[stream]?.epoch ?? Epoch("none"), seq: event.seq,
        transaction: event.transaction)
      return filter { $0.stream != stream } + [Cursor(stream: stream, position: place)]
    case .thousands:
      world.count(.cursorThousands)
      // It is as many as there may be, or one too many.
      let count = Limits.subscriptionsMax + (world.random.happens(500) ? 1 : 0)
      return self + (self.count..<count).map { _ in .made(up: &world.random) }
    }
  }

  private func changed(_ claim: Claim, _ world: Simulation) -> [Cursor] {
    let place = world.random.below(count)
    var cursors = self
    guard let position = cursors[place].position,
      let other = position.disturbed(claim, of: cursors[place].stream, world)
    else { return self }
    cursors[place] = Cursor(stream: cursors[place].stream, position: other)
    return cursors
  }
}

extension Cursor {
  /// Makes a cursor of a stream that nobody has.
  fileprivate static func made(up random: inout SimRandom) -> Cursor {
    Cursor(
      stream: .category(CategoryID(random.uuid())),
      position: CursorPosition(
        epoch: Epoch("s1.none"), seq: random.between(1, 1_000),
        transaction: TransactionID(random.uuid())))
  }
}

extension CursorPosition {
  fileprivate func disturbed(
    _ claim: Claim, of stream: StreamID, _ world: Simulation
  ) -> CursorPosition? {
    switch claim {
    case .ahead:
      world.count(.cursorAhead)
      return CursorPosition(
        epoch: epoch, seq: seq + 1 + world.random.between(0, 1_000), transaction: transaction)
    case .diverged:
      world.count(.cursorDiverged)
      return CursorPosition(
        epoch: epoch, seq: seq, transaction: TransactionID(world.random.uuid()))
    case .epoch:
      world.count(.cursorEpoch)
      return CursorPosition(epoch: Epoch("another.epoch"), seq: seq, transaction: transaction)
    case .old:
      let back = max(1, seq / 2)
      guard let truth = world.truth.streams[stream], back <= truth.head else { return nil }
      world.count(.cursorOld)
      return CursorPosition(
        epoch: epoch, seq: back, transaction: truth.events[Int(back) - 1].transaction)
    case .negative:
      world.count(.cursorNegative)
      return CursorPosition(
        epoch: epoch, seq: -1 - world.random.between(0, 1_000), transaction: transaction)
    case .unknown, .left, .thousands: return nil
    }
  }
}
