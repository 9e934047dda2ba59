import Glibc

/// A file with all that is somebody's, a line of JSON for each thing (protocol §8 `account.export`). It is written page
/// by page, so that nobody has to hold all of it in memory. It is called `….part` until the last line is in it, so a
/// file with its own name is complete. Only its owner can read it.
struct ExportFile {
  let path: String

  /// The path of the file until it is complete.
  var part: String { path + ".part" }

  /// Makes the file. Throws when something has either name: nothing is ever overwritten.
  func make() throws(Problem) {
    guard access(path, F_OK) != 0 else {
      throw Problem("\(path) is there already; nothing was written")
    }
    let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      guard errno == EEXIST else { throw failure }
      throw Problem("\(part) is there already, of an export that did not end; remove it first")
    }
    guard close(descriptor) == 0 else { throw failure }
  }

  /// Gives the complete file its name. A file that somebody else has made meanwhile stays.
  func finish() throws(Problem) {
    if link(part, path) == 0 {
      guard unlink(part) == 0 else { throw failure }
      return
    }
    // Some file systems allow one name for each file (FAT). There the check at the beginning has to be enough.
    guard errno == EPERM || errno == EOPNOTSUPP, access(path, F_OK) != 0 else { throw failure }
    guard rename(part, path) == 0 else { throw failure }
  }

  func append(_ lines: [[UInt8]]) throws(Problem) {
    let descriptor = open(part, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw failure }
    var rest = lines.flatMap { $0 + [UInt8(ascii: "\n")] }[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        let problem = failure
        close(descriptor)
        throw problem
      }
      rest = rest.dropFirst(count)
    }
    guard close(descriptor) == 0 else { throw failure }
  }

  private var failure: Problem {
    Problem("\(path) cannot be written: \(String(cString: strerror(errno)))")
  }
}
