import Glibc
import Testing
import WebSocket

@testable import Net

private let hello = Array("hello".utf8)

@Suite("Loop groups")
struct LoopGroupTests {
  @Test("a port in use is a sentence, and nothing is left behind")
  func portInUse() throws {
    let server = try Server()
    let text = "127.0.0.1:\(server.port)"
    let error = #expect(throws: NetError.portInUse(text)) {
      try Server { $0.listen = [try ListenAddress(text)] }
    }
    #expect(error?.description.contains("already listens on \(text)") == true)
  }

  @Test("an address that this machine does not have is a sentence")
  func foreignAddress() throws {
    let error = #expect(throws: NetError.self) {
      try Server { $0.listen = [try ListenAddress("192.0.2.7:0")] }
    }
    #expect(error?.description.contains("does not let us listen on 192.0.2.7:0") == true)
  }

  @Test("listens on several addresses, IPv6 too, and tells the real ports")
  func addresses() throws {
    let server = try Server {
      $0.listen = [try ListenAddress("127.0.0.1:0"), try ListenAddress("[::1]:0")]
    }
    #expect(server.group.addresses.map { $0.socketAddress?.host } == ["127.0.0.1", "::1"])
    #expect(server.group.addresses.allSatisfy { $0.port > 0 })
    let port = server.group.addresses[1].port
    server.perform { loop, _ in
      _ = loop.dial(DialTarget(host: "::1", port: port, path: "/echo"))
    }
    #expect(server.nextOpened() != nil)
    #expect(server.nextOpened() != nil)
  }

  @Test("connections are spread evenly over the loops", arguments: [1, 2, 3])
  func spread(loops: Int) throws {
    let server = try Server { $0.loops = loops }
    var clients: [RawClient] = []
    for _ in 0..<loops * 3 {
      clients.append(try #require(RawClient(webSocket: "/echo", port: server.port)))
    }
    for client in clients {
      client.send(.text, hello)
      #expect(client.readFrame()?.payload == hello)
    }
    let counts = try Mailbox<Int>()
    for index in 0..<loops {
      server.perform(on: index) { loop, _ in counts.post(loop.connectionCount) }
      #expect(counts.wait(milliseconds: Int(patienceMilliseconds)) == [3])
    }
  }

  @Test("a stop is told once to each loop; nobody new is let in, who is there is served on")
  func stop() throws {
    let server = try Server(.stays) { $0.loops = 2 }
    // First in the queue, so it is let in before the client is served.
    let undecided = try #require(RawClient(port: server.port))
    undecided.send("GET /echo HTTP/1.1\r\n")
    let client = try #require(RawClient(webSocket: "/echo", port: server.port))
    #expect(server.nextOpened() != nil)
    server.group.stop()
    server.group.stop()
    #expect(server.expects(.stopRequested))
    #expect(server.expects(.stopRequested))
    let late = RawClient(port: server.port)
    late?.send(RawClient.upgrade("/echo"))
    #expect(late?.readHead() == nil)
    undecided.send("Host: 127.0.0.1\r\n\r\n")
    #expect(undecided.readToEnd().hasPrefix("HTTP/1.1 503 "))
    client.send(.text, hello)
    #expect(client.readFrame()?.payload == hello)
    #expect(!server.hasSeen(.stopRequested))
  }

  @Test("the end writes what is due, tells every connection's end, and wait returns")
  func end() throws {
    let server = try Server()
    let client = try #require(RawClient(webSocket: "/echo", port: server.port))
    let id = try #require(server.nextOpened())
    server.perform { loop, _ in
      loop.send(.text, hello, to: id)
      loop.end()
    }
    #expect(client.readFrame()?.payload == hello)
    #expect(server.nextEnding() == .aborted)
    #expect(client.seesEnd())
  }
}

@Suite("In a process of its own")
struct ProcessTests {
  @Test("a server uses as many descriptors as are allowed")
  func descriptorLimit() async {
    await #expect(processExitsWith: .success) {
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var limit = rlimit(rlim_cur: 64, rlim_max: 512)
      guard setrlimit(resource, &limit) == 0 else { exit(1) }
      let server = try Server()
      guard server.group.descriptorsMax == 512, getrlimit(resource, &limit) == 0 else { exit(2) }
      exit(limit.rlim_cur == 512 ? 0 : 3)
    }
  }

  @Test("a crowd that comes when descriptors have run out is served later, everybody of it")
  func crowd() async {
    await #expect(processExitsWith: .success) {
      let server = try Server { $0.loops = 2 }
      guard let first = RawClient(webSocket: "/echo", port: server.port) else { exit(1) }
      var crowd: [RawClient] = []
      for _ in 0..<30 {
        guard let client = RawClient(port: server.port) else { exit(2) }
        crowd.append(client)
      }
      var taken: [Int32] = []
      var limit = rlimit(rlim_cur: 256, rlim_max: 256)
      guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(3) }
      while case let descriptor = dup(0), descriptor >= 0 { taken.append(descriptor) }
      // One is freed for each of ours, or two when the server is quicker; for the last one's other end
      // there is none.
      for _ in 0..<15 {
        var client: RawClient?
        while client == nil, !taken.isEmpty {
          close(taken.removeLast())
          client = RawClient(port: server.port)
        }
        guard let client else { exit(4) }
        crowd.append(client)
      }
      for client in crowd { client.send(RawClient.upgrade("/echo")) }
      guard server.expects(.acceptPaused) else { exit(5) }
      first.send(.text, Array("hello".utf8))
      guard first.readFrame()?.payload == Array("hello".utf8) else { exit(6) }
      for descriptor in taken { close(descriptor) }
      for client in crowd {
        guard client.readHead()?.hasPrefix("HTTP/1.1 101 ") == true else { exit(7) }
      }
      exit(0)
    }
  }

  @Test("when descriptors run out, accepting rests and goes on when some are free")
  func descriptors() async {
    await #expect(processExitsWith: .success) {
      let server = try Server()
      guard let first = RawClient(webSocket: "/echo", port: server.port) else { exit(1) }
      var taken: [Int32] = []
      var limit = rlimit(rlim_cur: 64, rlim_max: 64)
      guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(2) }
      while case let descriptor = dup(0), descriptor >= 0 { taken.append(descriptor) }
      // The last one is for our own end.
      close(taken.removeLast())
      guard let late = RawClient(port: server.port) else { exit(3) }
      late.send(RawClient.upgrade("/echo"))
      guard server.expects(.acceptPaused) else { exit(4) }
      first.send(.text, Array("hello".utf8))
      guard first.readFrame()?.payload == Array("hello".utf8) else { exit(5) }
      for descriptor in taken { close(descriptor) }
      guard late.readHead()?.hasPrefix("HTTP/1.1 101 ") == true else { exit(6) }
      exit(0)
    }
  }
}
