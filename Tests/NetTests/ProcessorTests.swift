import Testing

@testable import Net

@Suite("Processors that may be used")
struct ProcessorTests {
  @Test(
    "the affinity, or the smallest quota of a container, rounded up",
    arguments: [
      (8, [], 8),
      (8, ["max 100000\n"], 8),
      (8, ["200000 100000\n"], 2),
      (8, ["150000 100000\n"], 2),
      (8, ["50000 100000\n"], 1),
      (8, ["max 100000\n", "300000 100000\n", ""], 3),
      (2, ["300000 100000\n"], 2),
      (8, ["nonsense", "0 0", "-1 100000"], 8),
      (0, [], 1),
    ] as [(Int, [String], Int)])
  func usable(affinity: Int, quotas: [String], expected: Int) {
    #expect(Processors.usable(affinity: affinity, quotas: quotas) == expected)
  }

  @Test(
    "a process is in its group and in all above it",
    arguments: [
      ("0::/\n", [""]),
      ("0::/a\n", ["/a", ""]),
      ("1:name=systemd:/x\n0::/a/b.slice\n", ["/a/b.slice", "/a", ""]),
      ("1:cpu:/x\n", []),
      ("", []),
    ] as [(String, [String])])
  func folders(text: String, expected: [String]) {
    #expect(Processors.folders(ofCgroups: text) == expected)
  }

  @Test("this machine has at least one")
  func here() {
    #expect(Processors.usable >= 1)
  }
}
