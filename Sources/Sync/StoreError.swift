/// The reason why a store did not do what it was asked.
package enum StoreError: Error, Equatable, Sendable {
  /// The data could not be read.
  case unreadable(StoreFault)
  /// Nothing was written and nothing will be: the batch is answered `unavailable`.
  case notCommitted(StoreFault)
  /// The commit failed on its way to the disk and may have been written: `unknown_outcome`.
  case outcomeUnknown(StoreFault)

  package var fault: StoreFault {
    switch self {
    case .unreadable(let fault), .notCommitted(let fault), .outcomeUnknown(let fault): fault
    }
  }
}

/// The details of a failure, for the log and the operator; never shown to a user.
package struct StoreFault: Equatable, Sendable {
  package enum Kind: Sendable {
    /// The disk or the quota is full; this passes when there is room again.
    case full
    /// The disk or the file system failed.
    case disk
    /// The data that was read is not what was written.
    case damaged
    /// Another process holds the database.
    case busy
    /// The transaction contradicts what is stored (an event that does not follow its stream's head, a username twice).
    /// That is a mistake of the caller.
    case contradiction
    case other
  }

  package let kind: Kind
  /// The fault in one line: what was done, the database's own words and its code.
  package let detail: String

  package init(_ kind: Kind, _ detail: String) {
    self.kind = kind
    self.detail = detail
  }
}
