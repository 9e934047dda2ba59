internal import Glibc

/// The version of the time zones that this machine has (tzdata comes anew several times a year).
enum ZoneRules {
  /// Returns a text that is only to be compared: the version from the first line of `tzdata.zi`, or, where there is no
  /// such file, when the table of zones was written. Nil when there is neither.
  static func version(in folder: String) -> String? {
    if let line = firstLine(of: folder + "/tzdata.zi") { return line }
    var status = stat()
    guard stat(folder + "/zone.tab", &status) == 0 else { return nil }
    return "zone.tab of \(status.st_mtim.tv_sec)"
  }

  /// Returns the last word of a line such as `# version 2025b`.
  private static func firstLine(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var block = [UInt8](repeating: 0, count: 128)
    let count = block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { return nil }
    let line = block[..<count].prefix { $0 != UInt8(ascii: "\n") }
    let word = line.split(separator: UInt8(ascii: " ")).last ?? []
    guard !word.isEmpty, word.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    return String(decoding: word, as: UTF8.self)
  }
}
