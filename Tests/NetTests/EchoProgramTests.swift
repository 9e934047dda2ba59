import Glibc
import Net
import Testing
import WebSocket

@Suite("The program websocket-echo", .serialized)
struct EchoProgramTests {
  private let hello = Array("hello".utf8)

  /// Starts it on a free port.
  private func start(_ more: [String] = []) throws -> (ChildProcess, UInt16) {
    let arguments = ["--listen", "127.0.0.1:0"] + more
    let program = try #require(ChildProcess("websocket-echo", arguments))
    let line = program.readLine()
    #expect(line.hasPrefix("ready ws://127.0.0.1:"))
    let port = try #require(UInt16(line.dropFirst("ready ws://127.0.0.1:".count).dropLast()))
    return (program, port)
  }

  @Test("prints one ready line, echoes, closes with 1001 on SIGTERM and exits 0")
  func serves() throws {
    let (program, port) = try start()
    let client = try #require(RawClient(webSocket: "/echo", port: port))
    client.send(.text, hello)
    #expect(client.readFrame() == .init(opcode: .text, payload: hello))
    program.send(SIGTERM)
    #expect(client.readFrame() == .init(opcode: .close, payload: [0x03, 0xE9]))
    client.send(.close, [0x03, 0xE9])
    let end = program.wait()
    #expect(end.status == 0)
    #expect(end.output == "")
  }

  @Test("tells every place where it listens on one line, and removes its socket file")
  func places() throws {
    let folder = TemporaryFolder()
    let file = folder.file("echo")
    let arguments = ["--listen", "127.0.0.1:0", "--listen", "[::1]:0", "--listen", "unix:\(file)"]
    let program = try #require(ChildProcess("websocket-echo", arguments))
    let urls = program.readLine().split(whereSeparator: \.isWhitespace)
    #expect(urls.count == 4)
    #expect(urls[1].hasPrefix("ws://127.0.0.1:"))
    #expect(urls[2].hasPrefix("ws://[::1]:"))
    #expect(urls[3] == "ws+unix:\(file)")
    let client = try #require(RawClient(path: file))
    client.send(RawClient.upgrade("/echo", host: "localhost"))
    #expect(client.readHead()?.hasPrefix("HTTP/1.1 101 ") == true)
    client.send(.close, [])
    program.send(SIGTERM)
    #expect(program.wait().status == 0)
    #expect(TemporaryFolder.mode(file) == nil)
  }

  @Test(
    "compresses with --deflate, for who offers it, and nothing without", arguments: [true, false])
  func deflate(_ isOn: Bool) throws {
    let (program, port) = try start(isOn ? ["--deflate"] : [])
    let offer = "Sec-WebSocket-Extensions: permessage-deflate\r\n"
    let text = Array(String(repeating: "hello ", count: 10).utf8)
    let client = try #require(RawClient(webSocket: "/echo", port: port, fields: offer))
    client.send(.text, text)
    #expect(client.readFrame()?.isCompressed == isOn)
    let plain = try #require(RawClient(webSocket: "/bcast", port: port))
    let subscriber = try #require(RawClient(webSocket: "/bcast", port: port, fields: offer))
    let publisher = try #require(RawClient(webSocket: "/pub", port: port, fields: offer))
    publisher.send(.text, text)
    #expect(plain.readFrame() == .init(opcode: .text, payload: text))
    #expect(subscriber.readFrame()?.isCompressed == isOn)
    for one in [client, plain, subscriber, publisher] { one.send(.close, []) }
    program.send(SIGTERM)
    #expect(program.wait().status == 0)
  }

  @Test("speaks TLS with a certificate and a key")
  func secure() throws {
    let tls = try TestTLS()
    let identity = try tls.authority.issue("echo")
    let program = try #require(
      ChildProcess(
        "websocket-echo",
        [
          "--listen", "127.0.0.1:0", "--tls-certificate", identity.certificateFile, "--tls-key",
          identity.keyFile,
        ]))
    let line = program.readLine()
    #expect(line.hasPrefix("ready wss://127.0.0.1:"))
    let port = try #require(UInt16(line.dropFirst("ready wss://127.0.0.1:".count).dropLast()))
    let client = try #require(tls.connect(port: port))
    client.send(.text, hello)
    #expect(client.readFrame() == .init(opcode: .text, payload: hello))
    client.send(.close, [])
    #expect(client.seesEnd())
    program.send(SIGTERM)
    #expect(program.wait().status == 0)
  }

  @Test("a second signal does not wait for clients that do not answer")
  func secondSignal() throws {
    let (program, port) = try start()
    let client = try #require(RawClient(webSocket: "/echo", port: port))
    program.send(SIGINT)
    #expect(client.readFrame()?.opcode == .close)
    program.send(SIGTERM)
    #expect(client.seesEnd())
    #expect(program.wait().status == 0)
  }

  @Test("A published message reaches every subscriber of every loop", arguments: ["1", "2"])
  func broadcast(loops: String) throws {
    let (program, port) = try start(["--loops", loops])
    var subscribers: [RawClient] = []
    for _ in 0..<6 {
      subscribers.append(try #require(RawClient(webSocket: "/bcast", port: port)))
    }
    let publisher = try #require(RawClient(webSocket: "/pub", port: port))
    for number in 0..<100 { publisher.send(.text, Array("\(number)".utf8)) }
    for subscriber in subscribers {
      for number in 0..<100 {
        #expect(subscriber.readFrame()?.payload == Array("\(number)".utf8))
      }
    }
    for subscriber in subscribers { subscriber.send(.close, []) }
    publisher.send(.close, [])
    program.send(SIGTERM)
    #expect(program.wait().status == 0)
  }

  @Test("one who does not read the echo is not read, and gets everything in the end")
  func slowEcho() throws {
    let (program, port) = try start()
    let client = try #require(
      RawClient(webSocket: "/echo", port: port, receiveBufferBytes: 65_536))
    let payload = [UInt8](repeating: 1, count: 1 << 14)
    let count = 400
    let sender = RawClient.frame(.binary, payload)
    let thread = try Net.Thread.start(name: "sender") { [socket = client.duplicate()] in
      for _ in 0..<count { socket.send(sender) }
    }
    for _ in 0..<count { #expect(client.readFrame()?.payload.count == payload.count) }
    thread.join()
    client.send(.close, [])
    program.send(SIGTERM)
    #expect(program.wait().status == 0)
  }

  @Test(
    "wrong arguments, a bad address and a port in use: a sentence on standard error",
    arguments: [
      ([], 2, "usage: "), (["--listen"], 2, "usage: "), (["--nothing", "x"], 2, "usage: "),
      (["--listen", "127.0.0.1:0", "--loops", "0"], 2, "usage: "),
      (["--listen", "127.0.0.1:0", "--tls-key", "key.pem"], 2, "usage: "),
      (
        [
          "--listen", "127.0.0.1:0", "--tls-certificate", "no.pem", "--tls-key", "key.pem",
        ], 1, "The certificate file no.pem cannot be read: No such file or directory."
      ),
      (["--listen", "nowhere"], 1, "\"nowhere\" is not an address"),
    ] as [([String], Int32, String)])
  func refused(arguments: [String], status: Int32, sentence: String) throws {
    let program = try #require(ChildProcess("websocket-echo", arguments))
    let end = program.wait()
    #expect(end.status == status)
    #expect(end.output == "")
    #expect(end.errors.contains(sentence))
  }

  @Test("a second one on the same port says so")
  func portInUse() throws {
    let (program, port) = try start()
    let second = try #require(ChildProcess("websocket-echo", ["--listen", "127.0.0.1:\(port)"]))
    let end = second.wait()
    #expect(end.status == 1)
    #expect(end.errors.contains("Another program already listens on 127.0.0.1:\(port)"))
    program.send(SIGTERM)
    #expect(program.wait().status == 0)
  }
}
