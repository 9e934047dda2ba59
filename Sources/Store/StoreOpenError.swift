import Glibc

/// The reason why a data folder cannot be used. `description` is a sentence for the operator.
package enum StoreOpenError: Error, Equatable, Sendable {
  /// A system call on the path failed.
  case system(path: String, call: String, errno: Int32)
  /// The path is there and is no folder, or a folder with other things in it that others can read.
  case notAFolder(path: String)
  case readableByOthers(path: String)
  /// Another process serves from this folder.
  case inUse(path: String)
  /// There is nothing to read: no server has run here yet.
  case noDatabase(path: String)
  case notADatabase(path: String)
  /// An SQLite database that another program made.
  case anotherApplication(path: String)
  /// A later version of this program made the database.
  case newer(path: String, version: Int64, known: Int64)
  /// The database was to be read, but an earlier version made it: the server brings it up to date when it starts.
  case older(path: String, version: Int64, known: Int64)
  /// The file that should hold the secret holds something else.
  case damagedSecret(path: String)
  /// The database did not open, for SQLite's own reasons.
  case failed(path: String, detail: String)
}

extension StoreOpenError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .system(let path, let call, let errno):
      "\(path) cannot be used: \(call): \(String(cString: strerror(errno)))."
    case .notAFolder(let path):
      "\(path) is not a folder."
    case .readableByOthers(let path):
      "\(path) has other files in it and other users may read it: choose a folder of its own."
    case .inUse(let path):
      "Another server is running on \(path): stop it, or choose another data folder."
    case .noDatabase(let path):
      "There is no database at \(path): no server has run with this data folder."
    case .notADatabase(let path):
      "\(path) is not a WhatTODO database."
    case .anotherApplication(let path):
      "\(path) is not a WhatTODO database: another application made it."
    case .newer(let path, let version, let known):
      "\(path) has version \(version) and this program knows versions up to \(known): "
        + "use the program that wrote it, or a newer one."
    case .older(let path, let version, let known):
      "\(path) has version \(version) and this program reads version \(known): "
        + "start the server on it once, which brings it up to date."
    case .damagedSecret(let path):
      "\(path) is not a secret of WhatTODO: put back a copy of it, or take it away and the next start makes a new one."
    case .failed(let path, let detail):
      "\(path) did not open: \(detail)."
    }
  }
}
