import Domain

// The parameters of the changes of a run, both ways.

extension RunMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    let address = try params.address()
    let run = try params.read(self == .start ? .newRun : .run)
    let change: RunChange =
      switch self {
      case .start:
        .start(
          lease: try params.read(.runLease, or: Int64(Limits.runLeaseMilliseconds)),
          phase: try params.optional(.firstPhase))
      case .phase: .phase(try params.read(.phase))
      case .end: .end(try params.read(.outcome), text: try params.optional(.endText))
      }
    return try .post(.change(address, .run(run, change), params))
  }
}

extension RunChange {
  func add(to fields: inout SortedFields) {
    switch self {
    case .start(let lease, let phase):
      fields.add(.runLease, lease)
      fields.add(.firstPhase, phase)
    case .phase(let phase): fields.add(.phase, phase)
    case .end(let outcome, let text):
      fields.add(.outcome, outcome)
      fields.add(.endText, text)
    }
  }
}

// MARK: - Parameters

extension Parameter where S == IDShape<RunID> {
  fileprivate static var newRun: Self { Self("run", S(), "the id of the new run") }
  static var run: Self { Self("run", S(), "the run") }
}

extension Parameter where S == IntegerShape<Int64> {
  fileprivate static var runLease: Self {
    Self(
      "leaseMs",
      S(range: Int64(Limits.runLeaseMillisecondsMin)...Int64(Limits.runLeaseMillisecondsMax)),
      "after how long without a word the run is lost, `runLeaseMsMin` to `runLeaseMsMax`; "
        + "without it `runLeaseMs`, ten minutes")
  }
}

extension Parameter where S == LineShape {
  private static func phase(_ meaning: String) -> Self {
    Self("phase", S(scalars: 1...Limits.runPhaseScalarsMax), meaning)
  }

  fileprivate static var firstPhase: Self { .phase("what the program does first") }
  fileprivate static var phase: Self { .phase("what the program does now") }

  fileprivate static var endText: Self {
    Self("text", S(scalars: 1...Limits.runTextScalarsMax), "what there is to say about it")
  }
}

/// How a run ended, as its program tells it.
struct RunOutcomeShape: Shape {
  private static let words = RunOutcome.told.map(\.rawValue)

  func read(_ params: Params, _ name: String) throws(Refusal) -> RunOutcome {
    try params.word(name, of: Self.words) { word in
      RunOutcome.told.first { $0.rawValue == word }
    }
  }

  func write(_ value: RunOutcome, to writer: inout JSONWriter) { writer.string(value.rawValue) }
  var schema: String { Schema.words(Self.words) }
  var example: String { Schema.quoted(RunOutcome.ok.rawValue) }
}

extension Parameter where S == RunOutcomeShape {
  fileprivate static var outcome: Self { Self("outcome", S(), "how the run ended") }
}
