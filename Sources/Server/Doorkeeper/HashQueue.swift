// Jobs that wait for a hash thread: bounded, and fair by address. Each address has its turn, however many
// jobs another one has waiting.

internal import Net

/// First come, first served within an address; addresses take turns.
struct HashQueue {
  private let rules: SignInRules
  private var waiting: [PeerAddress?: [(DoorVisit, HashJob)]] = [:]
  /// Addresses with waiting jobs, next one first.
  private var turns: [PeerAddress?] = []
  private(set) var count = 0

  init(_ rules: SignInRules) { self.rules = rules }

  func hasRoom(for address: PeerAddress?) -> Bool {
    count < rules.waitingMax && (waiting[address]?.count ?? 0) < rules.waitingPerAddressMax
  }

  mutating func add(_ visit: DoorVisit, _ job: HashJob, from address: PeerAddress?) {
    if waiting[address] == nil { turns.append(address) }
    waiting[address, default: []].append((visit, job))
    count += 1
  }

  mutating func next() -> (DoorVisit, HashJob)? {
    guard !turns.isEmpty else { return nil }
    let address = turns.removeFirst()
    guard var jobs = waiting[address], !jobs.isEmpty else { return nil }
    let job = jobs.removeFirst()
    waiting[address] = jobs.isEmpty ? nil : jobs
    if !jobs.isEmpty { turns.append(address) }
    count -= 1
    return job
  }
}
