/// The table role × method: what a member of a category or group may do there (DESIGN §3). The row of each method says
/// from which role on it may be called.
package enum Permission {
  /// Whether a member with this role may call this method on the stream.
  package static func allows(_ role: Role, _ method: Method) -> Bool {
    guard let least = method.row.leastRole else { return true }
    return role >= least
  }

  /// Answers whether `undo` by a member with this role may take back what others did.
  package static func undoesOthers(_ role: Role) -> Bool { role >= .admin }

  /// Answers whether a member with this role may remove lines of talk that others said.
  package static func removesOthersLines(_ role: Role) -> Bool { role >= .admin }

  /// Answers whether a completion by a member with this role counts also where it has to be confirmed.
  package static func confirms(_ role: Role) -> Bool { role >= .admin }

  /// Answers whether a member with this role may set or end this completion. Doers may do so only with their own.
  static func allows(_ role: Role, touching completion: Completion?, of user: UserID) -> Bool {
    role > .doer || completion == nil || completion?.by == user
  }

  /// Answers the same for an occurrence of a post that comes again, and for a submission. Nil: nobody completed it.
  static func allows(_ role: Role, touching turn: Stamp?, of user: UserID) -> Bool {
    role > .doer || turn == nil || turn?.by == user
  }

  /// Answers the same for the finish of a step.
  static func allows(_ role: Role, touching finish: StepFinish?, of user: UserID) -> Bool {
    role > .doer || finish == nil || finish?.by == user
  }

  /// Answers whether a member with this role may complete and reopen posts that are others' work.
  static func completesOthersWork(_ role: Role) -> Bool { role > .doer }

  /// Answers whether `category.edit` by a member with this role may set how much of the past members may read.
  package static func setsHistory(_ role: Role) -> Bool { role == .owner }

  /// Answers whether a member with this role may switch talk off and on, by `category.edit` or by taking that back.
  package static func setsTalk(_ role: Role) -> Bool { role >= .admin }
}
