// The faults, made one at a time and drawn from the list of Fault.

import Domain
import Sync
import Wire

extension Simulation {
  func makeFault() {
    guard !isCalm else { return }
    switch random.below(30) {
    case 0, 1: cutSome()
    case 2: halfOpen(deafServer: false)
    case 3: halfOpen(deafServer: true)
    case 4, 5: loseResult()
    case 6, 7: stallSome()
    case 8: if server != nil { crashNow() }
    case 9: faults.commit = .crashBefore
    case 10, 11: faults.commit = .crashInside(written: random.happens(500))
    case 12: faults.commit = .crashAfter
    case 13: faults.commit = .refused
    case 14, 15: faults.commit = .unknown(comesBack: random.happens(500))
    case 16: faults.failLoads = 1 + random.below(3)
    case 17: faults.failReads = 1 + random.below(4)
    case 18: moveClock()
    case 19: if random.happens(500) { drain() }
    case 20: random.pick(devices)?.crash()
    case 21...27: claimInHello()
    default: signOutSome()
    }
    schedule(after: random.between(50, 1_200), .fault)
  }

  private var livingLinks: [Link] {
    links.suffix(16).filter { $0.clientHas && $0.carriesUp && $0.carriesDown }
  }

  private func crashNow() {
    count(.crashIdle)
    crash()
  }

  private func cutSome() {
    guard let link = random.pick(livingLinks) else { return }
    count(.cut)
    cut(link, clientNotices: random.between(0, 200), serverNotices: random.between(0, 200))
  }

  private func halfOpen(deafServer: Bool) {
    guard let link = random.pick(livingLinks) else { return }
    count(deafServer ? .deafServer : .deafClient)
    if deafServer {
      link.carriesUp = false
      schedule(after: random.between(1_000, 20_000), .clientNotices(link))
      schedule(after: random.between(1_000, 40_000), .serverNotices(link))
    } else {
      cut(link, clientNotices: random.between(0, 100), serverNotices: random.between(5_000, 40_000))
    }
  }

  /// Loses the answer of a command that has arrived.
  private func loseResult() {
    let waiting = livingLinks.filter { link in link.asked.contains { $0.address != nil } }
    guard let link = random.pick(waiting) else { return }
    count(.lostResult)
    link.carriesDown = false
    schedule(after: random.between(50, 400), .clientNotices(link))
    schedule(after: random.between(50, 400), .serverNotices(link))
  }

  private func stallSome() {
    guard let link = random.pick(livingLinks) else { return }
    count(.stalledReader)
    let wait = random.happens(100) ? random.between(30_000, 60_000) : random.between(500, 8_000)
    link.downAt = max(link.downAt, time + wait)
  }

  private func moveClock() {
    let hours = random.between(1, 48)
    let isForward = random.happens(500)
    count(isForward ? .clockForward : .clockBack)
    hasSetClock = true
    jump((isForward ? 1 : -1) * hours * 3_600_000 + random.between(0, 60_000))
  }

  private func claimInHello() {
    guard let link = random.pick(livingLinks) else { return }
    workload.claims[link.device] = random.pick(Claim.allCases)
    cut(link, clientNotices: random.between(0, 50), serverNotices: random.between(0, 200))
  }

  private func signOutSome() {
    guard let device = random.pick(devices.filter(\.isPatient)), random.happens(700) else { return }
    // A person who began as a guest is one again when an earlier copy is put back, and nothing would let them in.
    guard !device.person.beginsAsGuest else { return }
    device.ask(.logout)
  }
}
