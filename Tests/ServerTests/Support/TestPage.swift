import Glibc

/// One answer of HTTP, from a connection of its own that ends with it.
struct TestPage {
  let status: Int
  /// The fields, by their names in lower case.
  let fields: [String: String]
  let body: String

  /// Asks the server on 127.0.0.1 and waits at most thirty seconds.
  init(port: UInt16, _ path: String, _ fields: [String: String] = [:]) throws {
    let socket = try connectedSocket(port: port)
    defer { close(socket) }
    let extra = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
    let head = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    let request = Array("\(head)\(extra)\r\n".utf8)
    guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
      throw TestFailure.lost
    }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(socket, &part, part.count, 0)
      guard count > 0 else { break }
      bytes += part[..<count]
    }
    try self.init(String(decoding: bytes, as: UTF8.self))
  }

  private init(_ text: String) throws {
    guard let end = text.firstRange(of: "\r\n\r\n") else { throw TestFailure.lost }
    let lines = text[..<end.lowerBound].split(separator: "\r\n")
    guard let line = lines.first, let status = line.split(separator: " ").dropFirst().first else {
      throw TestFailure.lost
    }
    self.status = Int(status) ?? 0
    fields = Dictionary(
      lines.dropFirst().map { line in
        let name = line.prefix { $0 != ":" }
        return (name.lowercased(), String(line.dropFirst(name.count + 2)))
      }, uniquingKeysWith: { $1 })
    body = String(text[end.upperBound...])
  }
}
