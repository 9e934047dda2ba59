import Domain
import Screen

/// One of several changes that are made as one, with its words.
struct PlannedChange {
  let command: Command
  let report: ChangeReport

  init(_ command: Command, _ made: Phrase, same: Phrase? = nil) {
    self.command = command
    report = ChangeReport(made: made, same: same)
  }
}
