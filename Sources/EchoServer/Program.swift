// websocket-echo: the network engine alone, for conformance tests and benchmarks.
//
//   /echo   answers each message with itself, up to 16 MiB
//   /bcast  receives what is published
//   /pub    publishes each message to everybody on /bcast, on all loops

import Glibc
import Net
import WebSocket

@main
enum Program {
  static let usage = "usage: websocket-echo --listen ADDRESS:PORT|unix:PATH… [--loops COUNT]"
  static let messageBytesMax = 16 << 20

  private struct Arguments {
    /// `--listen`, at least once.
    var listen: [String] = []
    var loops = 1
  }

  static func main() {
    guard let arguments = read(CommandLine.arguments.dropFirst()) else {
      log(usage)
      exit(2)
    }
    do {
      try serve(arguments)
    } catch {
      log("\(error)")
      exit(1)
    }
  }

  private static func serve(_ arguments: Arguments) throws(NetError) {
    var options = NetOptions()
    for text in arguments.listen { options.listen.append(try ListenAddress(text)) }
    options.loops = arguments.loops
    options.stopsOnSignals = true
    options.connectionsMax = 100_000
    options.connectionsPerAddressMax = 100_000
    var routes = RouteTable()
    routes.addWebSocket(EchoApplication.echoPath, messageBytesMax: messageBytesMax)
    routes.addWebSocket(EchoApplication.subscribePath, messageBytesMax: messageBytesMax)
    routes.addWebSocket(EchoApplication.publishPath, messageBytesMax: messageBytesMax)
    var inboxes: [Mailbox<SharedFrame>] = []
    for _ in 0..<arguments.loops { inboxes.append(try Mailbox()) }
    let everyInbox = inboxes
    let group = try LoopGroup(options, routes: routes) { EchoApplication($0, everyInbox) }
    print("ready " + group.addresses.map { $0.url() }.joined(separator: " "))
    fflush(nil)
    group.wait()
    log("stopped")
  }

  private static func read(_ words: ArraySlice<String>) -> Arguments? {
    var arguments = Arguments()
    var rest = words
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { return nil }
      switch name {
      case "--listen": arguments.listen.append(value)
      case "--loops":
        guard let count = Int(value), (1...64).contains(count) else { return nil }
        arguments.loops = count
      default: return nil
      }
    }
    return (1...NetOptions.listenersMax).contains(arguments.listen.count) ? arguments : nil
  }

  static func log(_ line: String) {
    let bytes = Array("websocket-echo: \(line)\n".utf8)
    // Nowhere to complain when standard error is closed.
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}
