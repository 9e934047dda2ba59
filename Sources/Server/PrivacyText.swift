internal import Domain
internal import Glibc
internal import Text

/// The operator's text about what happens to people's data: a file of plain text, read at the start.
enum PrivacyText {
  static func read(_ path: String) throws(ServerError) -> String {
    // A character has up to four bytes. A file that is longer than a text may be is refused as such.
    let bytesMax = 4 * Limits.notesScalarsMax + 1
    guard let bytes = bytes(of: path, max: bytesMax) else { throw .noText(path) }
    guard let raw = String(validating: bytes, as: UTF8.self) else { throw .noText(path) }
    do throws(TextError) {
      return try Text.notes(raw, scalars: 1...Limits.notesScalarsMax)
    } catch {
      throw .noText(path)
    }
  }

  private static func bytes(of path: String, max: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 16 * 1024)
    while bytes.count < max {
      let count = block.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      bytes += block[..<count]
    }
    return bytes
  }
}
