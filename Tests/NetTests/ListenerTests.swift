import Glibc
import Testing
import WebSocket

@testable import Net

private let hello = Array("hello".utf8)

@Suite("Socket files (unix(7))")
struct SocketFileTests {
  private let folder = TemporaryFolder()

  private func server(_ path: String) throws -> Server {
    try Server { $0.listen = [try ListenAddress("unix:\(path)")] }
  }

  @Test("are served, open to owner and group only, and go with the server")
  func serves() throws {
    let path = folder.file("socket")
    do {
      let server = try server(path)
      #expect(TemporaryFolder.mode(path) == S_IFSOCK | 0o660)
      #expect(server.group.addresses.map(\.description) == ["unix:\(path)"])
      let client = try #require(RawClient(path: path))
      client.send(RawClient.upgrade("/echo", host: "localhost"))
      #expect(client.readHead()?.hasPrefix("HTTP/1.1 101 ") == true)
      client.send(.text, hello)
      #expect(client.readFrame()?.payload == hello)
    }
    #expect(TemporaryFolder.mode(path) == nil)
  }

  @Test("go when the stop is requested, not when the last client has left")
  func stop() throws {
    let path = folder.file("socket")
    let server = try Server(.stays) { $0.listen = [try ListenAddress("unix:\(path)")] }
    let client = try #require(RawClient(path: path))
    client.send(RawClient.upgrade("/echo", host: "localhost"))
    #expect(client.readHead()?.hasPrefix("HTTP/1.1 101 ") == true)
    server.group.stop()
    #expect(server.expects(.stopRequested))
    #expect(TemporaryFolder.mode(path) == nil)
    client.send(.text, hello)
    #expect(client.readFrame()?.payload == hello)
  }

  @Test("Socket files of a program that is gone are replaced")
  func stale() throws {
    let path = folder.file("socket")
    // Closed without being removed, as kill -9 leaves it.
    close(try Listener(try ListenAddress("unix:\(path)")).descriptor)
    #expect(TemporaryFolder.mode(path) == S_IFSOCK | 0o660)
    let server = try server(path)
    let client = try #require(RawClient(path: path))
    client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(client.readHead()?.hasPrefix("HTTP/1.1 200 ") == true)
    withExtendedLifetime(server) {}
  }

  @Test("Socket files of a program that runs are in use, and stay its own")
  func live() throws {
    let path = folder.file("socket")
    let first = try server(path)
    #expect(throws: NetError.portInUse("unix:\(path)")) { try server(path) }
    #expect(RawClient(path: path) != nil)
    withExtendedLifetime(first) {}
  }

  @Test("are not confused with a file that somebody keeps there")
  func notASocket() throws {
    let path = folder.file("letter")
    close(open(path, O_CREAT | O_WRONLY, 0o600))
    #expect(throws: NetError.addressRefused("unix:\(path)", errno: EEXIST)) { try server(path) }
    #expect(TemporaryFolder.mode(path) == S_IFREG | 0o600)
    let nowhere = folder.file("no/folder")
    #expect(throws: NetError.addressRefused("unix:\(nowhere)", errno: ENOENT)) {
      try server(nowhere)
    }
  }

  @Test("that another server has made since are left to it")
  func replaced() throws {
    let path = folder.file("socket")
    let first = try Listener(try ListenAddress("unix:\(path)"))
    unlink(path)
    let second = try Listener(try ListenAddress("unix:\(path)"))
    first.close()
    #expect(TemporaryFolder.mode(path) == S_IFSOCK | 0o660)
    second.close()
    #expect(TemporaryFolder.mode(path) == nil)
  }
}

@Suite("Side listeners")
struct SideListenerTests {
  private static let get = "GET /figures HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"

  private func server(
    _ manner: Manner = .echoes, _ change: (inout NetOptions) throws -> Void = { _ in }
  ) throws -> Server {
    var side = RouteTable()
    side.add(.get, "/figures") { _ in .text(.ok, "42") }
    return try Server(manner, sideRoutes: side) {
      $0.side = [try ListenAddress("127.0.0.1:0")]
      try change(&$0)
    }
  }

  @Test("have their own routes, and the others have theirs")
  func routes() throws {
    let server = try server()
    let side = server.group.sideAddresses[0].port
    for (port, status) in [(side, 200), (server.port, 404)] {
      let client = try #require(RawClient(port: port))
      client.send(SideListenerTests.get)
      #expect(client.readToEnd().hasPrefix("HTTP/1.1 \(status) "))
    }
    let client = try #require(RawClient(port: side))
    client.send(RawClient.upgrade("/echo"))
    #expect(client.readHead()?.hasPrefix("HTTP/1.1 404 ") == true)
  }

  @Test("are open when there is no room for clients, and take none of theirs")
  func room() throws {
    let server = try server { $0.connectionsMax = 1 }
    let first = try #require(RawClient(webSocket: "/echo", port: server.port))
    let turnedAway = try #require(RawClient(port: server.port))
    turnedAway.send(RawClient.upgrade("/echo"))
    #expect(turnedAway.readHead()?.hasPrefix("HTTP/1.1 503 ") == true)
    let client = try #require(RawClient(port: server.group.sideAddresses[0].port))
    client.send(SideListenerTests.get)
    #expect(client.readToEnd().hasPrefix("HTTP/1.1 200 "))
    withExtendedLifetime(first) {}
  }

  @Test("answer while the others drain")
  func drains() throws {
    // A port that is free again may be another server's at once. The path of a socket file is nobody else's.
    let folder = TemporaryFolder()
    let path = folder.file("socket")
    let server = try server(.stays) { $0.listen = [try ListenAddress("unix:\(path)")] }
    #expect(RawClient(path: path) != nil)
    server.group.stop()
    #expect(server.expects(.stopRequested))
    #expect(RawClient(path: path) == nil)
    let client = try #require(RawClient(port: server.group.sideAddresses[0].port))
    client.send(SideListenerTests.get)
    #expect(client.readToEnd().hasPrefix("HTTP/1.1 200 "))
    withExtendedLifetime(folder) {}
  }
}
