// The operator's commands beside serving. Most of them open the database read-only, so they work while a server runs on
// it; `restore` and `secret new` need the folder for themselves. They print only what was asked for.

internal import Calendar
internal import Crypto
internal import Domain
internal import Glibc
internal import Net
internal import Store
internal import Sync
internal import Wire

/// The reason why an operator's command could not be done, as a sentence.
package struct OperatorError: Error, Equatable, CustomStringConvertible {
  package let description: String
}

/// The operator's commands, which return the text to print.
package enum OperatorCommands {
  /// Returns a new code that lets one person register within so many days.
  package static func invite(dataFolder: String, days: Int) throws(OperatorError) -> String {
    let store = try open(dataFolder)
    let endsAt = try end(of: days)
    let codes = try codes(of: dataFolder, store)
    do throws(CryptoError) {
      return codes.registration(id: try randomBytes(8), endsAt: endsAt)
    } catch {
      throw OperatorError(description: "\(ServerError.crypto(error))")
    }
  }

  /// Returns the code with which this person sets a new password (`account.recover`). It is the one from registration,
  /// or from the last recovery, because nothing is stored.
  package static func recoveryCode(
    dataFolder: String, username: String
  ) throws(OperatorError) -> String {
    let store = try open(dataFolder)
    let codes = try codes(of: dataFolder, store)
    do throws(StoreError) {
      guard let account = try store.account(username: username) else {
        throw StoreError.unreadable(StoreFault(.other, "nobody is called \(username)"))
      }
      guard !account.password.isNone else {
        throw StoreError.unreadable(
          StoreFault(.other, "\(username) has no password: it is a guest or a bot with an owner"))
      }
      return codes.recovery(account.id.uuid, generation: account.recoveryGeneration)
    } catch {
      throw OperatorError(description: "\(dataFolder): \(error.fault.detail).")
    }
  }

  /// Rebuilds everything from the log and compares it with what is stored.
  package static func verify(
    dataFolder: String
  ) throws(OperatorError) -> (text: String, isSound: Bool) {
    let store = try open(dataFolder)
    do throws(StoreError) {
      let zones = ZoneRules.version(in: ServerOptions(dataFolder: dataFolder).zoneFolder)
      let report = try store.verify(.system, zones: zones)
      return (report.text, report.isSound)
    } catch {
      throw OperatorError(description: "\(dataFolder): \(error.fault.detail).")
    }
  }

  /// Tells the server of this folder that the wall clock is right. The server looks every few seconds while it waits
  /// for that.
  package static func confirmClock(dataFolder: String) throws(OperatorError) {
    _ = try open(dataFolder)
    let path = clockMark(in: dataFolder)
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0, close(descriptor) == 0 else {
      throw OperatorError(description: "\(path) cannot be made (error \(errno)).")
    }
  }

  /// Returns the path of the file that says so. The server removes it.
  static let clockMarkName = "clock-confirmed"

  static func clockMark(in dataFolder: String) -> String { "\(dataFolder)/\(clockMarkName)" }

  /// Writes a copy of one moment to a new file with mode 0600, which is on stable storage when this returns. With
  /// `withSecret` the secret that codes are derived from goes into another file beside it.
  package static func backup(
    dataFolder: String, to destination: String, withSecret: Bool = false
  ) throws(OperatorError) {
    let store = try open(dataFolder)
    if withSecret { try copySecret(of: dataFolder, store, besideBackup: destination) }
    let descriptor = Glibc.open(destination, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let reason = errno == EEXIST ? "is there already" : "cannot be made (error \(errno))"
      throw OperatorError(description: "\(destination) \(reason).")
    }
    let copied = copy(store, to: destination)
    let isSynced = fsync(descriptor) == 0
    let isClosed = close(descriptor) == 0
    if let copied { throw copied }
    guard isSynced, isClosed else {
      throw OperatorError(description: "\(destination) could not be written to the disk.")
    }
  }

  /// Puts a backup in the place of the data, as a history of its own. Returns sentences about what is there now.
  package static func restore(
    _ backup: String, dataFolder: String, replacing: Bool, closingSessions: Bool
  ) throws(OperatorError) -> String {
    let (epoch, newSecret): (String, StoreSecret)
    do throws(CryptoError) {
      (epoch, newSecret) = (Hex.encode(try randomBytes(6)), try .random())
    } catch {
      throw OperatorError(description: "\(ServerError.crypto(error))")
    }
    do throws(RestoreError) {
      let report = try DataFolder(path: dataFolder).restore(
        backup, epoch: epoch, newSecret: newSecret, replacing: replacing,
        closingSessions: closingSessions, now: MachineClock.wallMilliseconds() / 1_000,
        almanac: .system)
      let aside = report.replaced.map { "\nthe data before it is \($0)" } ?? ""
      return report.verification.text + aside + "\n" + report.secret.sentence
    } catch {
      throw OperatorError(description: error.description)
    }
  }

  private static func copy(_ store: SQLiteStore, to path: String) -> OperatorError? {
    do throws(StoreError) {
      try store.copy(intoEmptyFile: path)
      return nil
    } catch {
      return OperatorError(description: "\(path): \(error.fault.detail).")
    }
  }

  /// Returns the moment so many days from now, in seconds since 1970. Throws when the clock shows no such moment.
  static func end(of days: Int) throws(OperatorError) -> UInt32 {
    let seconds = MachineClock.wallMilliseconds() / 1_000 + Int64(days) * 24 * 3_600
    guard let endsAt = UInt32(exactly: seconds) else {
      throw OperatorError(description: "This machine's clock is wrong.")
    }
    return endsAt
  }

  static func open(_ folder: String) throws(OperatorError) -> SQLiteStore {
    do throws(StoreOpenError) {
      return try SQLiteStore(reading: DataFolder(path: folder))
    } catch {
      throw OperatorError(description: error.description)
    }
  }
}

extension VerificationReport {
  /// The text for the operator: one line when all is well, otherwise the differences.
  fileprivate var text: String {
    let size = "\(streams) streams, \(events) events, \(objects) objects, \(keys) keys"
    guard !isSound else { return (remarks + ["sound: \(size)"]).joined(separator: "\n") }
    let unlisted = differenceCount - differences.count
    let rest = unlisted > 0 ? ["and \(unlisted) more"] : []
    return (remarks + differences + rest + ["not sound: \(differenceCount) differences in \(size)"])
      .joined(separator: "\n")
  }
}

extension SQLiteStore {
  /// Reads a stored object.
  func decoded(_ body: [UInt8]) throws(StoreError) -> Object {
    do throws(WireError) {
      return try ObjectCodec.decode(body)
    } catch {
      throw .unreadable(StoreFault(.damaged, "a stored object: \(error)"))
    }
  }
}
