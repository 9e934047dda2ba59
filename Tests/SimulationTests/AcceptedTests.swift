import Domain
import Simulation
import Testing

@testable import WhattodoSimulate

@Suite("DESIGN §2: the simulation waits for all that people, server and operator can do")
struct AcceptedTests {
  /// `whattodo-simulate --at-least` fails when one of these was never taken in all its seeds, and names it.
  @Test("all commands are waited for, and all that the ledger does by itself")
  func waitedFor() {
    let commands = Domain.Method.allCases.filter { $0.row.kind == .change }.map(\.name)
    let missing = Tally().accepted.missing
    #expect(commands.count > 60 && Set(commands).isSubset(of: missing))
    #expect(missing.count == commands.count + Accepted.ofAccounts.count + OwnWork.allCases.count)
  }

  /// A new method about accounts is one or the other.
  @Test("every account method is a command, or lets somebody in or out")
  func accounts() {
    let signIns: [Domain.Method] = [
      .signIn(.login), .signIn(.logout), .signIn(.guest), .signIn(.openPairing), .signIn(.pair),
    ]
    let accounts = Domain.Method.allCases.filter { $0.row.kind == .account }
    #expect(Set(accounts) == Set(Accepted.ofAccounts + signIns))
  }
}
