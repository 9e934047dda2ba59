// The terminal of this process: descriptors 0 and 1. Raw mode is termios(3)'s; it is left again on every
// way out, signals included: those that end a program and SIGWINCH are blocked in every thread and read from a
// descriptor, so no handler runs and nothing is interrupted.

import CCurses
import Glibc

/// What `Terminal.wait` woke up for.
package enum TerminalHappening: Equatable, Sendable {
  case input([UInt8])
  case resized
  /// `Waker.wake` was called.
  case woken
  /// Another program asks this one to stop for a while.
  case suspended
  /// A signal that ends a program, or the end of the input.
  case stopped
}

extension TerminalHappening {
  package var isInput: Bool {
    switch self {
    case .input: true
    case .resized, .woken, .suspended, .stopped: false
    }
  }
}

/// Raw mode, size, input and output of the controlling terminal. Owned by one thread; make it before any
/// other thread starts, because threads inherit which signals are blocked.
package final class Terminal {
  package let abilities: Abilities
  package let waker: Waker
  private let signals: Int32
  private var original = termios()
  private var isRaw = false

  /// Throws `.notATerminal` when there is nobody to talk to.
  package init(name: String, colors: Bool) throws(TerminalError) {
    guard isatty(0) == 1, isatty(1) == 1 else { throw .notATerminal }
    guard tcgetattr(0, &original) == 0 else { throw .system("tcgetattr", errno: errno) }
    abilities = Abilities(terminal: name, colors: colors, charset: .here)
    // Without it only a crash leaves the terminal as it is.
    _ = whattodo_give_back_on_crash()
    waker = try Waker()
    signals = try Terminal.watchSignals()
  }

  /// Columns now; 80 when the terminal does not say.
  package static var columns: Int {
    var size = winsize()
    guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Every key comes at once, nothing is echoed, no key makes a signal.
  package func enterRaw() throws(TerminalError) {
    var raw = original
    cfmakeraw(&raw)
    guard tcsetattr(0, TCSADRAIN, &raw) == 0 else { throw .system("tcsetattr", errno: errno) }
    isRaw = true
    if abilities.bracketedPaste { write(Array("\u{1B}[?2004h".utf8)) }
  }

  /// The terminal as it was found.
  package func leaveRaw() {
    guard isRaw else { return }
    if abilities.bracketedPaste { write(Array("\u{1B}[?2004l".utf8)) }
    isRaw = false
    // Nothing is left to try when the terminal itself is gone.
    _ = tcsetattr(0, TCSADRAIN, &original)
  }

  /// Stops the process like any program under job control, and goes on in raw mode.
  package func suspend() throws(TerminalError) {
    leaveRaw()
    guard kill(0, SIGSTOP) == 0 else { throw .system("kill", errno: errno) }
    try enterRaw()
  }

  /// Waits for keys, signals or the waker; an empty answer means that the time is over. nil: without end.
  package func wait(milliseconds: Int?) throws(TerminalError) -> [TerminalHappening] {
    var watched = [0, waker.readEnd, signals].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let timeout = milliseconds.map { Int32(clamping: max(0, $0)) } ?? -1
    let ready = poll(&watched, nfds_t(watched.count), timeout)
    guard ready >= 0 else {
      if errno == EINTR { return [] }
      throw .system("poll", errno: errno)
    }
    var happenings: [TerminalHappening] = []
    if watched[1].revents != 0 {
      waker.drain()
      happenings.append(.woken)
    }
    if watched[2].revents != 0 { happenings += try takeSignals() }
    if watched[0].revents != 0 { happenings.append(try takeInput()) }
    return happenings
  }

  /// Writes all of it; a terminal that is gone is noticed by `wait`.
  package func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      rest = rest.dropFirst(max(0, count))
    }
  }

  private func takeInput() throws(TerminalError) -> TerminalHappening {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(0, &bytes, bytes.count)
    if count > 0 { return .input(Array(bytes[..<count])) }
    if count < 0, errno == EINTR || errno == EAGAIN { return .input([]) }
    return .stopped
  }

  private func takeSignals() throws(TerminalError) -> [TerminalHappening] {
    var happenings: [TerminalHappening] = []
    var info = signalfd_siginfo()
    while read(signals, &info, MemoryLayout<signalfd_siginfo>.size)
      == MemoryLayout<signalfd_siginfo>.size
    {
      switch Int32(info.ssi_signo) {
      case SIGWINCH: happenings.append(.resized)
      case SIGTSTP: happenings.append(.suspended)
      default: happenings.append(.stopped)
      }
    }
    return happenings
  }

  /// What ends a program from outside; a terminal in raw mode has to be given back first.
  static let endingSignals = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]

  private static func watchSignals() throws(TerminalError) -> Int32 {
    var set = sigset_t()
    sigemptyset(&set)
    for number in endingSignals + [SIGWINCH, SIGTSTP] { sigaddset(&set, number) }
    let failed = pthread_sigmask(SIG_BLOCK, &set, nil)
    guard failed == 0 else { throw .system("pthread_sigmask", errno: failed) }
    let descriptor = signalfd(-1, &set, Int32(SFD_NONBLOCK | SFD_CLOEXEC))
    guard descriptor >= 0 else { throw .system("signalfd", errno: errno) }
    return descriptor
  }
}
