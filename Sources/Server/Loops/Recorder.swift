// Records every message of both directions as a line of JSON, `{"dir":"in","connection":1,"message":…}`, so that tests
// can hold what was really sent against the schemas (Tests/Protocol). A message that is not JSON is there as `text`. It
// is off unless asked for: lines hold everything, secrets too.

internal import Glibc
internal import Net
internal import Wire

/// A recorder that the threads of the loops share. A line is one `write` on a file opened for appending.
struct Recorder: Sendable {
  enum Direction: String, Sendable {
    case received = "in"
    case sent = "out"
  }

  private let descriptor: Int32

  /// Opens the file. Nil when it cannot be made; `errno` says why.
  init?(path: String) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    if descriptor < 0 { return nil }
  }

  /// Records a message. `connection` is any number that is the same for all messages of a connection.
  func record(_ direction: Direction, _ message: [UInt8], _ connection: Int64) {
    var writer = JSONWriter(reservingCapacity: message.count + 64)
    writer.beginObject()
    writer.key("dir")
    writer.string(direction.rawValue)
    writer.key("connection")
    writer.int(connection)
    if isJSON(message) {
      writer.key("message")
      writer.raw(message)
    } else {
      writer.key("text")
      writer.string(utf8: message)
    }
    writer.endObject()
    var line = writer.bytes[...]
    line.append(UInt8(ascii: "\n"))
    while !line.isEmpty {
      let written = unsafe line.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress, $0.count)
      }
      // A record that cannot be kept must not disturb the server.
      if written <= 0 { return }
      line = line.dropFirst(written)
    }
  }

  /// Records the payload of a server's frame, which follows a header of 2, 4 or 10 bytes (RFC 6455 §5.2).
  func record(_ frame: SharedFrame, _ connection: Int64) {
    let header: Int =
      switch frame.bytes[1] & 0x7F {
      case 126: 4
      case 127: 10
      default: 2
      }
    record(.sent, Array(frame.bytes[header...]), connection)
  }

  private func isJSON(_ message: [UInt8]) -> Bool {
    do throws(JSONError) {
      _ = try JSONDocument(message)
      return true
    } catch {
      return false
    }
  }
}
