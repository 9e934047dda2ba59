// The threads behind the loops, and the connections to the store that each of them owns.

internal import Courier
internal import Crypto
internal import Net
internal import Store
internal import Sync

/// A connection to the store on its way to the thread that will own it.
///
/// Sendable by this proof: only `OpenedStores` makes it. It is taken exactly once, as the first thing its thread's
/// owner does, and nobody keeps another reference. So at every moment at most one thread can reach the connection.
struct HandedStore: @unchecked Sendable {
  let store: SQLiteStore

  fileprivate init(_ store: SQLiteStore) { self.store = store }
}

/// The connections to the store, opened before any thread so that a failure stops the start.
struct OpenedStores: Sendable {
  let writer: HandedStore
  let readers: [HandedStore]
  let authenticator: HandedStore
  let courier: HandedStore
  let decoy: String
  let codes: Codes
  /// The sentences for the operator about what the start has found.
  let notes: [String]

  init(_ options: ServerOptions) throws(ServerError) {
    let (identity, decoy, newSecret) = try OpenedStores.secrets(options)
    self.decoy = decoy
    let folder = DataFolder(path: options.dataFolder)
    do throws(StoreOpenError) {
      try folder.prepare()
      let lock = try folder.lock()
      let before = (secret: try folder.secret(), hasDatabase: folder.hasDatabase)
      // In a new folder the secret is written before anything may be derived from it.
      if before.secret == nil, !before.hasDatabase { try folder.write(newSecret) }
      let store = try SQLiteStore(
        writing: folder, lock: lock, options: SQLiteOptions(keepsReserve: true)
      ) {
        identity
      }
      writer = HandedStore(store)
      let (secret, note) = try OpenedStores.secret(of: folder, before: before, new: newSecret)
      codes = Codes(secret)
      let sums = store.hasPageSums ? nil : PageSumNotes.missing(folder.databasePath)
      notes = [store.damage?.sentence(in: folder), note, sums].compactMap(\.self)
      authenticator = HandedStore(try SQLiteStore(reading: folder, options: OpenedStores.reading))
      courier = HandedStore(try SQLiteStore(reading: folder, options: OpenedStores.reading))
      var readers: [HandedStore] = []
      for _ in 0..<options.readers {
        readers.append(
          HandedStore(try SQLiteStore(reading: folder, options: OpenedStores.reading)))
      }
      self.readers = readers
    } catch {
      throw .store(error)
    }
  }

  /// The options of readers. They look at the newest pages only, which the system's cache has too.
  private static let reading = SQLiteOptions(cacheKibibytes: 8 * 1024)

  private static func secrets(
    _ options: ServerOptions
  ) throws(ServerError) -> (identity: StoreIdentity, decoy: String, secret: StoreSecret) {
    do throws(CryptoError) {
      let identity = StoreIdentity(
        epoch: Hex.encode(try randomBytes(6)), secret: try randomBytes(32))
      return (identity, try Password.decoy(cost: options.scryptCost), try StoreSecret.random())
    } catch {
      throw .crypto(error)
    }
  }

  /// Returns the secret that codes are derived from, and a note about it for the operator. The database is open, so the
  /// secret that it may have had is in the file now.
  private static func secret(
    of folder: DataFolder, before: (secret: StoreSecret?, hasDatabase: Bool), new: StoreSecret
  ) throws(StoreOpenError) -> (StoreSecret, note: String?) {
    if let secret = try folder.secret() {
      let isMoved = before.secret == nil && before.hasDatabase
      return (secret, isMoved ? SecretNotes.moved(folder.secretPath) : nil)
    }
    try folder.write(new)
    return (new, SecretNotes.missing(folder.secretPath))
  }
}

private enum PageSumNotes {
  static func missing(_ path: String) -> String {
    "the pages of \(path) have no sums, so not every bit that turns over on the disk is noticed. To give it sums,"
      + " stop the server, make a backup and restore it with --replace"
  }
}

extension LogDamage {
  /// Returns a sentence for the operator.
  fileprivate func sentence(in folder: DataFolder) -> String {
    let kept = DataFolder.keptLog(of: folder.databasePath)
    return
      "the log of \(folder.databasePath) is damaged from its frame \(frame) on: \(commits) commit\(commits == 1 ? "" : "s")"
      + " or more that had been answered are lost. A copy of the log is \(kept). The server goes on with what is good;"
      + " run `whattodo-server verify`, look at the disk, and restore a backup if that has more"
  }
}

/// The running threads, in the order in which they must end.
struct ServerThreads: Sendable {
  private var front: [Thread] = []
  private let ledger: Thread
  private let log: Thread

  init(
    _ stores: OpenedStores, _ options: ServerOptions, _ mailboxes: Mailboxes,
    useCertificate: @escaping @Sendable (TLSContext) -> Void = { _ in }
  ) throws(NetError) {
    log = try Thread.start(name: "log") { runLog(mailboxes.log) }
    // Each closure takes its own connection and no other.
    let (writer, codes) = (stores.writer, stores.codes)
    ledger = try Thread.start(name: "ledger") {
      LedgerThread(
        store: writer.store, reserve: writer.store.reserve, codes: codes, options: options,
        mailboxes: mailboxes
      ).run()
    }
    let (hellos, looks) = (UserLimits(options.helloRate), UserLimits(options.historyRate))
    let (questions, storage) = (options.commandLimits(restMilliseconds: 0), options.storage)
    let lines = options.lineLimits(restMilliseconds: 0)
    for (index, reader) in stores.readers.enumerated() {
      front.append(
        try Thread.start(name: "reader \(index)") {
          ReaderThread(
            index, store: reader.store, codes: codes, hellos: hellos, looks: looks,
            questions: questions, lines: lines, storage: storage, mailboxes: mailboxes
          ).run()
        })
    }
    let (authenticator, decoy) = (stores.authenticator, stores.decoy)
    front.append(
      try Thread.start(name: "authenticator") {
        Authenticator(
          store: authenticator.store, codes: codes, options: options, decoy: decoy,
          mailboxes: mailboxes
        ).run()
      })
    let (courier, letters) = (stores.courier, options.courier)
    front.append(
      try Thread.start(name: "courier") { runCourier(courier.store, codes, letters, mailboxes) })
    if let files = options.certificate {
      front.append(
        try Thread.start(name: "certificate") {
          runCertificate(files, mailboxes, use: useCertificate)
        })
    }
    let cost = options.scryptCost
    for index in mailboxes.hashers.indices {
      front.append(
        try Thread.start(name: "hash \(index)") {
          runHasher(index, cost: cost, mailboxes: mailboxes)
        })
    }
  }

  /// Ends the threads after the loops, when nothing new comes. The threads that give the ledger work end before it.
  func end(_ mailboxes: Mailboxes) {
    mailboxes.certificate.post(.stop)
    mailboxes.authenticator.post(.stop)
    mailboxes.courier.post(.stop)
    for reader in mailboxes.readers { reader.post(.stop) }
    for hasher in mailboxes.hashers { hasher.post(.stop) }
    for thread in front { thread.join() }
    mailboxes.ledger.post(.stop)
    ledger.join()
    mailboxes.log.post(.line("stopped"))
    mailboxes.log.post(.stop)
    log.join()
  }
}
