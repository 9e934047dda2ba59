// The secret that codes are derived from, as the operator sees it (Store/SecretFile.swift).

internal import Crypto
internal import Domain
internal import Glibc
internal import Net
internal import Store
internal import Sync

/// The sentences about the secret that a start tells.
enum SecretNotes {
  static func moved(_ path: String) -> String {
    "the secret of codes is in \(path) now and no more in the database: a backup from before still has it, and who has"
      + " such a backup can make codes for this server, unless `whattodo-server secret new` makes another"
  }

  static func missing(_ path: String) -> String {
    "there was no secret of codes in \(path): a new one was made. \(stops)"
  }

  /// The sentence about all codes that are derived from the secret.
  static let stops =
    "No code of before is good any more: recovery codes (`user reset USERNAME` prints the new one), invitations by code,"
    + " links and calendar addresses (their lists show the new ones), codes of `invite` and `group owner`."
}

extension SecretOrigin {
  var sentence: String {
    switch self {
    case .folder: "codes: the secret of this folder stays, so codes are good as before"
    case .besideBackup: "codes: the secret beside the backup is used, so codes of then are good"
    case .inBackup:
      "codes: the secret that was in the backup is used; who has such a backup can make codes for this server, unless"
        + " `whattodo-server secret new` makes another"
    case .new:
      "codes: the backup came without a secret and a new one was made. \(SecretNotes.stops)"
    }
  }
}

extension StoreSecret {
  static func random() throws(CryptoError) -> StoreSecret {
    StoreSecret(
      codes: try randomBytes(StoreSecret.bytes), names: try randomBytes(StoreSecret.bytes))
  }
}

extension OperatorCommands {
  /// Returns the codes as the server of this folder makes them.
  static func codes(
    of dataFolder: String, _ store: SQLiteStore
  ) throws(OperatorError) -> Codes {
    let folder = DataFolder(path: dataFolder)
    if let secret = try secret(in: folder, store) { return Codes(secret) }
    throw OperatorError(
      description:
        "There is no secret in \(folder.secretPath): start the server once, which makes one.")
  }

  /// Makes another secret. Returns sentences that say what that means. Throws when a server runs.
  package static func newSecret(dataFolder: String) throws(OperatorError) -> String {
    let (folder, store) = (DataFolder(path: dataFolder), try open(dataFolder))
    let known = try secret(in: folder, store)
    let made: StoreSecret
    do throws(CryptoError) {
      made = try .random()
    } catch {
      throw OperatorError(description: "\(ServerError.crypto(error))")
    }
    do throws(StoreOpenError) {
      let lock = try folder.lock()
      try folder.write(StoreSecret(codes: made.codes, names: known?.names ?? made.names))
      // The lock is held until here.
      _ = consume lock
    } catch {
      throw OperatorError(description: error.description)
    }
    return "there is a new secret in \(folder.secretPath). \(SecretNotes.stops)"
  }

  /// Writes the secret that codes are derived from beside a backup.
  static func copySecret(
    of dataFolder: String, _ store: SQLiteStore, besideBackup backup: String
  ) throws(OperatorError) {
    let folder = DataFolder(path: dataFolder)
    guard let secret = try secret(in: folder, store) else {
      throw OperatorError(description: "There is no secret in \(folder.secretPath).")
    }
    do throws(StoreOpenError) {
      try DataFolder.write(secret, toNew: DataFolder.secretPath(besideBackup: backup))
    } catch {
      throw OperatorError(description: error.description)
    }
  }

  /// Returns the secret. A database that no server of this version has opened still has it in its rows. Nil when there
  /// is none.
  private static func secret(
    in folder: DataFolder, _ store: SQLiteStore
  ) throws(OperatorError) -> StoreSecret? {
    do throws(StoreOpenError) {
      if let secret = try folder.secret() { return secret }
    } catch {
      throw OperatorError(description: error.description)
    }
    do throws(StoreError) {
      guard let old = try store.oldSecret(), old.count == StoreSecret.bytes else { return nil }
      return StoreSecret(codes: old, names: old)
    } catch {
      throw OperatorError(description: error.fault.detail)
    }
  }
}
