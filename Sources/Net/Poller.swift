import CLinux

/// The epoll of one loop, level-triggered.
///
/// A half-read socket then needs no bookkeeping: the kernel says so again.
struct Poller: Sendable {
  /// The owner of a descriptor. It travels through the kernel as 64 bits.
  enum Token: Hashable {
    case connection(slot: Int32)
    case listener(index: Int32)
    case mailbox
    case orders
    case signals

    /// The upper half of the bits.
    private enum Kind: UInt64 {
      case connection, listener, mailbox, orders, signals

      func bits(_ value: Int32 = 0) -> UInt64 {
        rawValue << 32 | UInt64(UInt32(bitPattern: value))
      }
    }

    var bits: UInt64 {
      switch self {
      case .connection(let slot): Kind.connection.bits(slot)
      case .listener(let index): Kind.listener.bits(index)
      case .mailbox: Kind.mailbox.bits()
      case .orders: Kind.orders.bits()
      case .signals: Kind.signals.bits()
      }
    }

    init(bits: UInt64) {
      guard let kind = Kind(rawValue: bits >> 32) else {
        preconditionFailure("a token we never gave to the kernel")
      }
      let value = Int32(truncatingIfNeeded: bits)
      switch kind {
      case .connection: self = .connection(slot: value)
      case .listener: self = .listener(index: value)
      case .mailbox: self = .mailbox
      case .orders: self = .orders
      case .signals: self = .signals
      }
    }
  }

  /// The events to be told about. Hang-ups and errors are always told.
  struct Interest: OptionSet, Sendable {
    let rawValue: UInt32
    static let readable = Interest(rawValue: EPOLLIN.rawValue)
    static let writable = Interest(rawValue: EPOLLOUT.rawValue)
    static let hangUp = Interest(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
  }

  private let descriptor: Int32

  init() throws(NetError) {
    descriptor = try checked(whattodo_epoll_create(), .epollCreate)
  }

  /// Closes the epoll. Call it once, when no loop uses it any more.
  func close() {
    whattodo_close(descriptor)
  }

  func add(_ descriptor: Int32, _ token: Token, _ interest: Interest) throws(NetError) {
    try set(EPOLL_CTL_ADD, descriptor, token, interest)
  }

  func change(_ descriptor: Int32, _ token: Token, _ interest: Interest) throws(NetError) {
    try set(EPOLL_CTL_MOD, descriptor, token, interest)
  }

  func remove(_ descriptor: Int32, _ token: Token) throws(NetError) {
    try set(EPOLL_CTL_DEL, descriptor, token, [])
  }

  /// Waits for events, and returns the number of events written. With nil milliseconds it waits without end.
  func wait(
    _ events: UnsafeMutableBufferPointer<epoll_event>, milliseconds: Int64?
  ) throws(NetError) -> Int {
    let timeout = milliseconds.map { Int32(clamping: $0) } ?? -1
    let count = whattodo_epoll_wait(
      descriptor, events.baseAddress, Int32(clamping: events.count), timeout)
    return Int(try checked(count, .epollWait))
  }

  private func set(
    _ operation: Int32, _ descriptor: Int32, _ token: Token, _ interest: Interest
  ) throws(NetError) {
    _ = try checked(
      whattodo_epoll_set(self.descriptor, operation, descriptor, interest.rawValue, token.bits),
      .epollControl)
  }
}
