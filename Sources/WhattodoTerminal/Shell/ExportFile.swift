import Glibc

/// A file with all that is somebody's, a line of JSON for each thing (protocol §8.101), page by page, so that nobody
/// has to hold it in memory. Until the last line is in it, it is called `….part`: what has its name is whole. Only
/// its owner reads it.
struct ExportFile {
  let path: String

  /// What it is called until it is whole.
  var part: String { path + ".part" }

  /// Refused when there is something of either name: nothing is ever written over.
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

  /// The last page is in it: it gets its name. One that somebody else has made meanwhile stays.
  func finish() throws(Problem) {
    if link(part, path) == 0 {
      guard unlink(part) == 0 else { throw failure }
      return
    }
    // Where files have one name each (FAT), the look at the beginning has to do.
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
