// The program whattodo-simulate: runs the whole system in virtual time, one run for each seed, and says whether every
// promise held (Sources/Simulation). When one did not hold, it prints the seed and the end of its trace, and exits with
// 1.

internal import Glibc
internal import Simulation

@main
enum Program {
  static func main() {
    guard !CommandLine.arguments.contains("--help") else { return print(Settings.usage) }
    guard let settings = Settings(CommandLine.arguments.dropFirst()) else {
      print(Settings.usage)
      return exit(with: 2)
    }
    var sum = Tally()
    for seed in settings.seeds {
      let report = run(seed, settings, isTraced: settings.isTraced)
      sum.add(report.tally)
      if settings.isTraced { report.trace.forEach { print($0) } }
      if let violation = report.violation {
        tell(violation, report, settings)
        return exit(with: 1)
      }
      print("seed \(seed)  steps \(report.steps)  digest \(String(report.digest, radix: 16))")
      // A person who stops the program because it takes too long still sees how far it came.
      fflush(nil)
    }
    exit(with: told(sum, settings) ? 0 : 1)
  }

  static func run(_ seed: UInt64, _ settings: Settings, isTraced: Bool) -> SimulationReport {
    let place: any StorePlace =
      switch settings.store {
      case .memory: MemoryPlace()
      case .sqlite: sqlitePlace()
      }
    return Simulation(seed: seed, place: place, isTraced: isTraced)
      .run(seed: seed, steps: settings.steps)
  }

  private static func sqlitePlace() -> SQLitePlace {
    guard let place = SQLitePlace() else { preconditionFailure("no folder for the simulated disk") }
    return place
  }

  /// Runs the same seed once more, and prints its trace.
  private static func tell(_ violation: String, _ report: SimulationReport, _ settings: Settings) {
    let again = run(report.seed, settings, isTraced: true)
    again.trace.suffix(40).forEach { print($0) }
    print("seed \(report.seed)  step \(report.steps)  BROKEN: \(violation)")
    if again.digest != report.digest { print("and the same seed made another run") }
  }

  /// Prints the counts. Answers false when something did not happen often enough.
  private static func told(_ sum: Tally, _ settings: Settings) -> Bool {
    var isEnough = true
    for (name, count, isSeldom) in sum.lines {
      let few = count < (isSeldom ? settings.atLeast / 10 : settings.atLeast)
      if few { isEnough = false }
      let digits = String(count)
      let blanks = String(repeating: " ", count: max(1, 9 - digits.count))
      print("\(blanks)\(digits)  \(name)\(few ? "  TOO FEW" : "")")
    }
    guard settings.atLeast > 0 else { return isEnough }
    let missing = sum.accepted.missing
    if !missing.isEmpty { print("NEVER TAKEN: \(missing.joined(separator: ", "))") }
    return isEnough && missing.isEmpty
  }

  private static func exit(with code: Int32) {
    fflush(nil)
    Glibc.exit(code)
  }
}
