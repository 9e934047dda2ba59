// The network between clients and server: bytes arrive late, in order within a direction, or not at all.

import Domain
import Sync
import Wire

extension Simulation {
  // MARK: Connecting

  func dial(_ device: Device) {
    schedule(after: random.between(1, 60), .dialed(device: device.index, attempt: device.attempt))
  }

  func dialed(_ device: Device, _ attempt: Int) {
    guard device.attempt == attempt else { return }
    guard let server, !server.isDraining else { return device.closed(.unreachable) }
    let link = Link(
      number: links.count, device: device.index, loop: random.below(server.loops.count),
      generation: server.generation)
    link.serverHas = true
    (link.upAt, link.downAt) = (time, time)
    links.append(link)
    note { "link \(link.number): device \(device.index) on loop \(link.loop)" }
    server.loops[link.loop].opened(link.number)
    device.opened(link)
  }

  // MARK: Up

  func sendUp(_ link: Link, _ bytes: [UInt8]) {
    guard link.carriesUp else { return }
    link.upAt = max(link.upAt, time + latency())
    queueUp(link, bytes)
  }

  private func queueUp(_ link: Link, _ bytes: [UInt8]) {
    schedule(after: link.upAt - time, .up(link, bytes))
  }

  func arriveUp(_ link: Link, _ bytes: [UInt8]) {
    guard link.carriesUp, link.serverHas, let server, server.generation == link.generation else {
      return
    }
    carried(link, bytes)
    note { "up \(link.number) \(String(decoding: bytes.prefix(220), as: UTF8.self))" }
    if link.isPaused {
      link.held.append(bytes)
    } else {
      server.loops[link.loop].received(link.number, bytes)
    }
  }

  func pause(_ link: Int) { links[link].isPaused = true }

  func unpause(_ link: Int) {
    let link = links[link]
    link.isPaused = false
    let held = link.held
    link.held = []
    // The held bytes come before anything that is still on its way: `up` events of one moment come in the order in
    // which they were made.
    for bytes in held { schedule(after: 0, .up(link, bytes)) }
    link.upAt = max(link.upAt, time + 1)
  }

  /// Closes the connection from the client; the server hears of it after all that was sent before.
  func closeUp(_ link: Link) {
    link.clientHas = false
    link.carriesDown = false
    guard link.carriesUp else { return }
    schedule(after: max(0, link.upAt - time) + 1, .serverNotices(link))
  }

  func serverLoses(_ link: Link) {
    guard link.serverHas, let server, server.generation == link.generation else { return }
    link.serverHas = false
    link.carriesUp = false
    server.loops[link.loop].closed(link.number)
  }

  // MARK: Down

  func pendingBytes(_ link: Int) -> Int { links[link].pending }

  func sendDown(_ number: Int, _ bytes: [UInt8]) {
    let link = links[number]
    link.pending += bytes.count
    guard link.carriesDown else { return }
    link.downAt = max(link.downAt, time + latency())
    schedule(after: link.downAt - time, .down(link, bytes))
  }

  /// Closes the connection from the server; its close code comes after everything else.
  func closeDown(_ number: Int, _ code: CloseCode) {
    let link = links[number]
    link.serverHas = false
    link.carriesUp = false
    server?.loops[link.loop].closed(number)
    schedule(after: max(0, link.downAt - time) + 1, .closedDown(link, code))
    if !link.carriesDown { schedule(after: random.between(100, 20_000), .clientNotices(link)) }
  }

  func arriveDown(_ link: Link, _ bytes: [UInt8]) {
    guard link.carriesDown, link.clientHas else { return }
    link.pending -= bytes.count
    carried(link, bytes)
    note { "down \(link.number) \(String(decoding: bytes.prefix(220), as: UTF8.self))" }
    devices[link.device].received(link, bytes)
    if link.pending == 0, link.serverHas, let server, server.generation == link.generation {
      server.loops[link.loop].writable(link.number)
    }
  }

  func lost(_ link: Link, _ ending: Disconnection) {
    guard link.clientHas else { return }
    link.clientHas = false
    link.carriesDown = false
    note { "device \(link.device) loses link \(link.number): \(ending)" }
    devices[link.device].lost(link, ending)
    if link.serverHas { schedule(after: random.between(0, 300), .serverNotices(link)) }
  }

  // MARK: Bad luck

  private func latency() -> Int64 {
    if !isCalm, random.happens(8) {
      count(.delay)
      return random.between(200, 2_000)
    }
    return random.between(1, 20)
  }

  /// Ends both directions now; the ends notice sooner or later.
  func cut(_ link: Link, clientNotices: Int64, serverNotices: Int64) {
    link.carriesUp = false
    link.carriesDown = false
    schedule(after: clientNotices, .clientNotices(link))
    schedule(after: serverNotices, .serverNotices(link))
  }
}
