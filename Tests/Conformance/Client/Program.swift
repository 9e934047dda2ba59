// The engine's client in front of the Autobahn suite's fuzzing server; scripts/conformance starts it.

import Glibc
import Net

@main
enum Program {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let server = ConformanceServer(url: arguments[1]) else {
      end(2, "usage: conformance-client ws://HOST:PORT AGENT")
    }
    let agent = arguments[2]
    var options = NetOptions()
    options.listen = []
    // The suite judges every frame, and a case may say nothing for long.
    options.pingMilliseconds = 0
    options.silenceMilliseconds = 0
    options.compressedBytesMin = 1
    do {
      try LoopGroup(options) { _ in Runner(server, agent: agent) }.wait()
    } catch {
      end(2, "\(error)")
    }
  }

  /// Ends the program with a sentence, from any thread.
  static func end(_ status: Int32, _ sentence: String) -> Never {
    let line = Array("conformance-client: \(sentence)\n".utf8)
    // Nowhere to complain when standard error is closed.
    _ = write(STDERR_FILENO, line, line.count)
    exit(status)
  }
}
