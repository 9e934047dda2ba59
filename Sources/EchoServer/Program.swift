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
  static let usage = "usage: websocket-echo --listen ADDRESS:PORT [--loops COUNT]"
  static let messageBytesMax = 16 << 20

  static func main() {
    guard let (listen, loops) = arguments(CommandLine.arguments.dropFirst()) else {
      log(usage)
      exit(2)
    }
    do {
      try serve(listen, loops: loops)
    } catch {
      log("\(error)")
      exit(1)
    }
  }

  private static func serve(_ listen: String, loops: Int) throws(NetError) {
    var options = NetOptions()
    options.listen = [try ListenAddress(listen)]
    options.loops = loops
    options.stopsOnSignals = true
    options.connectionsMax = 100_000
    options.connectionsPerAddressMax = 100_000
    var routes = RouteTable()
    routes.addWebSocket(EchoApplication.echoPath, messageBytesMax: messageBytesMax)
    routes.addWebSocket(EchoApplication.subscribePath, messageBytesMax: messageBytesMax)
    routes.addWebSocket(EchoApplication.publishPath, messageBytesMax: messageBytesMax)
    var inboxes: [Mailbox<SharedFrame>] = []
    for _ in 0..<loops { inboxes.append(try Mailbox()) }
    let everyInbox = inboxes
    let group = try LoopGroup(options, routes: routes) { EchoApplication($0, everyInbox) }
    for address in group.addresses { print("ready ws://\(address)") }
    fflush(nil)
    group.wait()
    log("stopped")
  }

  private static func arguments(_ arguments: ArraySlice<String>) -> (listen: String, loops: Int)? {
    var listen: String?
    var loops = 1
    var rest = arguments
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { return nil }
      switch name {
      case "--listen": listen = value
      case "--loops":
        guard let count = Int(value), (1...64).contains(count) else { return nil }
        loops = count
      default: return nil
      }
    }
    return listen.map { ($0, loops) }
  }

  static func log(_ line: String) {
    let bytes = Array("websocket-echo: \(line)\n".utf8)
    // Nowhere to complain when standard error is closed.
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}
