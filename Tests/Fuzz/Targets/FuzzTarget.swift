// A fuzz target is a function of bytes that throws when a promise is broken; a crash is a finding too. The fuzzer
// (Tests/Fuzz/Program) searches for bytes. The test suite (Tests/FuzzTests) runs all inputs that are kept in
// Tests/Fuzz/Corpus. Targets judge by a second, plainer reading of the same rules wherever there is one: code that does
// not crash may still be wrong.

import TestRandom

/// A part of the program that strangers' bytes reach.
package struct FuzzTarget: Sendable {
  package let name: String
  package let run: @Sendable ([UInt8]) throws(Finding) -> Void

  /// Every target; the corpus of each is the folder of its name.
  package static let all: [FuzzTarget] = [
    FuzzTarget(name: "head", run: fuzzHead),
    FuzzTarget(name: "answer", run: fuzzAnswer),
    FuzzTarget(name: "frames", run: fuzzFrames),
    FuzzTarget(name: "inflate", run: fuzzInflate),
    FuzzTarget(name: "json", run: fuzzJSON),
    FuzzTarget(name: "message", run: fuzzMessage),
    FuzzTarget(name: "hook", run: fuzzHook),
    FuzzTarget(name: "hook-head", run: fuzzHookHead),
    FuzzTarget(name: "machine", run: fuzzMachine),
    FuzzTarget(name: "loop", run: fuzzLoop),
  ]
}

/// A broken promise.
package struct Finding: Error, CustomStringConvertible {
  package let sentence: String
  package var description: String { sentence }
}

/// Throws unless the promise holds.
func promise(_ holds: Bool, _ sentence: @autoclosure () -> String) throws(Finding) {
  if !holds { throw Finding(sentence: sentence()) }
}

/// Throws unless both are the same.
func promiseEqual<Value: Equatable>(
  _ found: Value, _ expected: Value, _ sentence: @autoclosure () -> String
) throws(Finding) {
  if found != expected {
    throw Finding(sentence: "\(sentence()): \(found) instead of \(expected)")
  }
}

/// An input. Its first bytes choose how the rest is treated.
struct FuzzInput {
  let knobs: [UInt8]
  let stream: [UInt8]

  /// Makes an input; nil when there are not even the knobs.
  init?(_ bytes: [UInt8], knobs count: Int) {
    guard bytes.count >= count else { return nil }
    knobs = Array(bytes[..<count])
    stream = Array(bytes[count...])
  }
}

extension [UInt8] {
  /// Returns ways in which the network may cut a stream: not at all, into bytes, and as the seed says.
  func cuts(seed: UInt8) -> [[ArraySlice<UInt8>]] {
    var ways = [[self[...]]]
    if count <= 400 { ways.append(indices.map { self[$0...$0] }) }
    var choices = SeededRandom(seed: UInt64(seed))
    let longest = [2, 5, 16, 60, 250, 2000][choices.below(6)]
    var pieces: [ArraySlice<UInt8>] = []
    var start = 0
    while start < count {
      // There are empty pieces too.
      let end = Swift.min(count, start + choices.below(longest + 1))
      pieces.append(self[start..<end])
      start = end
    }
    ways.append(pieces)
    return ways
  }
}
