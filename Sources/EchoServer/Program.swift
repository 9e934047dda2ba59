// websocket-echo: the network engine alone, for conformance tests and benchmarks.
//
//   /echo   answers each message with itself, up to 16 MiB
//   /bcast  receives the published messages
//   /pub    publishes each message to everybody on /bcast, on all loops

import Crypto
import Glibc
import Net
import WebSocket

@main
enum Program {
  static let usage = """
    usage: websocket-echo --listen ADDRESS:PORT|unix:PATH… [--loops COUNT] [--deflate]
                          [--connections COUNT] [--tls-certificate FILE --tls-key FILE]
    """
  static let messageBytesMax = 16 << 20

  static func main() {
    guard !CommandLine.arguments.contains("--help") else {
      print(usage)
      exit(0)
    }
    guard let settings = Settings(CommandLine.arguments.dropFirst()) else {
      log(usage)
      exit(2)
    }
    do {
      try serve(settings)
    } catch {
      log("\(error)")
      exit(1)
    }
  }

  private static func serve(_ settings: Settings) throws {
    var options = NetOptions()
    for text in settings.listen { options.listen.append(try ListenAddress(text)) }
    options.loops = settings.loops
    options.stopsOnSignals = true
    options.connectionsMax = settings.connections
    options.connectionsPerAddressMax = settings.connections
    if let files = settings.tls {
      options.tls = try TLSContext.server(certificateFile: files.certificate, keyFile: files.key)
    }
    // With this a measurement with short messages measures compression.
    options.compressedBytesMin = 1
    var routes = RouteTable()
    for path in EchoApplication.paths {
      routes.addWebSocket(path, messageBytesMax: messageBytesMax, deflate: settings.deflate)
    }
    var inboxes: [Mailbox<SharedFrame>] = []
    for _ in 0..<settings.loops { inboxes.append(try Mailbox()) }
    let everyInbox = inboxes
    let group = try LoopGroup(options, routes: routes) { EchoApplication($0, everyInbox) }
    let isSecure = options.tls != nil
    print("ready " + group.addresses.map { $0.url(secure: isSecure) }.joined(separator: " "))
    fflush(nil)
    group.wait()
    log("stopped")
  }

  static func log(_ line: String) {
    let bytes = Array("websocket-echo: \(line)\n".utf8)
    // There is nowhere to complain when standard error is closed.
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}
