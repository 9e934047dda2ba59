import Domain
import Sync
import Wire

// What lets somebody in.
extension Planner {
  func plan(_ step: WayStep) throws(Problem) -> Plan {
    switch step {
    case .pair: .send([Errand(request: .openPairing, report: .pairing)])
    }
  }
}
