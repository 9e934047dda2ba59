// The methods and works that the ledger took in a run. A command that is never taken is not simulated, whatever the
// workload asks for.

package import Domain
import Sync

package struct Accepted: Sendable {
  /// The methods of the commands, without repeated commands and those inside of a batch.
  package private(set) var methods: Set<Method> = []
  package private(set) var works: Set<OwnWork> = []

  /// The changes of an account that are read and written in their own way.
  package static let ofAccounts: [Method] = [
    .signIn(.register), .signIn(.recover), .signIn(.changePassword), .signIn(.upgrade),
    .signIn(.delete),
  ]

  /// The names of methods and works that were never taken.
  package var missing: [String] {
    let commands = Method.allCases.filter { $0.row.kind == .change } + Accepted.ofAccounts
    return commands.filter { !methods.contains($0) }.map(\.name)
      + OwnWork.allCases.filter { !works.contains($0) }.map { "\($0)" }
  }

  mutating func count(_ work: LedgerWork) {
    if case .command(let it) = work { methods.insert(it.command.method) }
    if let own = work.own { works.insert(own) }
  }

  mutating func add(_ other: Accepted) {
    methods.formUnion(other.methods)
    works.formUnion(other.works)
  }
}

/// The works that are no commands: those of the authenticator, of the server itself and of the operator.
package enum OwnWork: CaseIterable, Sendable {
  case openSession, openGuest, useSession, closeSession
  case tellOverdue, checkDues, endClaims, loseRun, remind, checkReminders, purge
  case tellName, giveBot, noteWebhook, askForEnd, endAccount, forget, forgetAccount
}

extension LedgerWork {
  fileprivate var own: OwnWork? {
    switch self {
    case .command: nil
    case .openSession: .openSession
    case .openGuest: .openGuest
    case .useSession: .useSession
    case .closeSession: .closeSession
    case .tellOverdue: .tellOverdue
    case .checkDues: .checkDues
    case .endClaims: .endClaims
    case .loseRun: .loseRun
    case .purge: .purge
    case .remind: .remind
    case .checkReminders: .checkReminders
    case .tellName: .tellName
    case .giveBot: .giveBot
    case .noteWebhook: .noteWebhook
    case .askForEnd: .askForEnd
    case .endAccount: .endAccount
    case .forget: .forget
    case .forgetAccount: .forgetAccount
    }
  }
}
