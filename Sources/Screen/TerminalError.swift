import Glibc

/// A failed system call, or a terminal that is not there.
package enum TerminalError: Error, Equatable, Sendable {
  case system(String, errno: Int32)
  /// Standard input or output is not a terminal.
  case notATerminal
}

extension TerminalError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .system(let call, let number): "\(call): \(String(cString: strerror(number)))"
    case .notATerminal: "standard input or output is not one"
    }
  }
}
