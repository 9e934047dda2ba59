/// The settings of the command line.
struct Settings {
  enum StoreKind: String {
    case memory
    case sqlite
  }

  private(set) var seeds: ClosedRange<UInt64> = 1...1
  private(set) var steps = 27_000
  private(set) var store = StoreKind.memory
  /// Prints the trace of each run.
  private(set) var isTraced = false
  /// The number of times that every fault and every premise has to occur, over all seeds.
  private(set) var atLeast = 0

  static let usage = """
    usage: whattodo-simulate (--seed N | --seeds FROM-TO) [--steps M] [--store memory|sqlite]
                             [--at-least N] [--trace]
    """

  /// Reads the arguments; nil when they are not as `usage` says.
  init?(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let name = rest.popFirst() {
      if name == "--trace" {
        isTraced = true
        continue
      }
      guard let value = rest.popFirst() else { return nil }
      switch name {
      case "--seed":
        guard let seed = UInt64(value) else { return nil }
        seeds = seed...seed
      case "--seeds":
        let ends = value.split(separator: "-").compactMap { UInt64($0) }
        guard ends.count == 2, ends[0] <= ends[1] else { return nil }
        seeds = ends[0]...ends[1]
      case "--steps":
        guard let count = Int(value), count > 0 else { return nil }
        steps = count
      case "--at-least":
        guard let count = Int(value), count >= 0 else { return nil }
        atLeast = count
      case "--store":
        guard let kind = StoreKind(rawValue: value) else { return nil }
        store = kind
      default: return nil
      }
    }
  }
}
