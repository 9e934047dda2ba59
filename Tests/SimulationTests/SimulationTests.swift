import Simulation
import Testing

@testable import WhattodoSimulate

@Suite("DESIGN §2: the promises, in virtual time")
struct SimulationTests {
  private func report(_ seed: UInt64, steps: Int = 1_500) throws -> SimulationReport {
    let settings = try #require(Settings(["--steps", "\(steps)"]))
    return Program.run(seed, settings, isTraced: false)
  }

  @Test("every promise holds", arguments: [1, 2, 3, 4, 5] as [UInt64])
  func holds(_ seed: UInt64) throws {
    let report = try report(seed)
    #expect(report.violation == nil)
    #expect(report.steps >= 1_500)
  }

  @Test("equal seeds make equal runs, others do not")
  func deterministic() throws {
    let first = try report(7)
    #expect(try report(7).digest == first.digest)
    #expect(try report(8).digest != first.digest)
  }
}
