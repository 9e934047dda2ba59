// FUZZ_TARGET=NAME Fuzz [arguments of libFuzzer]; scripts/fuzz builds and starts it. The name is no argument, because
// libFuzzer starts the program again with its own.

import CFuzzer
import FuzzTargets
import Glibc

/// The target. It is set once, before the first input.
private nonisolated(unsafe) var chosen: FuzzTarget?

@main
enum Program {
  static func main() {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) }
    chosen = FuzzTarget.all.first { $0.name == name }
    guard chosen != nil else {
      print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
      exit(name == nil ? 0 : 2)
    }
    var argumentCount = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(
      LLVMFuzzerRunDriver(&argumentCount, &arguments) { start, count in
        Program.run(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
      })
  }

  private static func run(_ bytes: [UInt8]) {
    do throws(Finding) {
      try chosen?.run(bytes)
    } catch {
      // libFuzzer keeps the input of a process that dies.
      fatalError(error.sentence)
    }
  }
}
