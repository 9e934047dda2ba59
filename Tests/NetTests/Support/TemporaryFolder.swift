import Glibc

/// A folder for the files of one test; gone with everything in it when the test lets go of it.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/whattodo-net-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { preconditionFailure("mkdtemp: errno \(errno)") }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    guard let entries = opendir(path) else { return }
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { unlink("\(path)/\(name)") }
    }
    closedir(entries)
    rmdir(path)
  }

  /// A name in the folder.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The file's type and permission bits; nil when there is none.
  static func mode(_ path: String) -> mode_t? {
    var found = stat()
    return lstat(path, &found) == 0 ? found.st_mode : nil
  }
}
