// The terminal of this process: descriptors 0 and 1. Raw mode is that of termios(3). It is left on every way out, also
// after a signal: SIGWINCH and the signals that end a program are blocked in every thread and read from a descriptor,
// so no handler runs and no system call is interrupted.

import CCurses
import Glibc

/// The reason for which `Terminal.wait` returned.
package enum TerminalEvent: Equatable, Sendable {
  case input([UInt8])
  case resized
  /// `Waker.wake` was called.
  case woken
  /// Another program asked this one to stop for a while (SIGTSTP).
  case suspended
  /// A signal asked to end the program, or the input ended.
  case stopped
}

extension TerminalEvent {
  package var isInput: Bool {
    switch self {
    case .input: true
    case .resized, .woken, .suspended, .stopped: false
    }
  }
}

/// Raw mode, size, input and output of the controlling terminal. One thread owns it. Make it before any other thread
/// starts, because threads inherit which signals are blocked.
package final class Terminal {
  package let abilities: Abilities
  package let waker: Waker
  private let signals: Int32
  private var original = termios()
  private var isRaw = false

  /// Opens the terminal. Throws `.notATerminal` when standard input or output is not one.
  package init(name: String, colors: Bool) throws(TerminalError) {
    guard isatty(0) == 1, isatty(1) == 1 else { throw .notATerminal }
    guard tcgetattr(0, &original) == 0 else { throw .system("tcgetattr", errno: errno) }
    abilities = Abilities(terminal: name, colors: colors, charset: .here)
    // If this fails, only a crash leaves the terminal in raw mode.
    _ = whattodo_give_back_on_crash()
    waker = try Waker()
    signals = try Terminal.watchSignals()
  }

  /// The current number of columns; 80 when the terminal does not say.
  package static var columns: Int {
    var size = winsize()
    guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Enters raw mode: each key arrives at once, nothing is echoed, and no key makes a signal.
  package func enterRaw() throws(TerminalError) {
    var raw = original
    cfmakeraw(&raw)
    guard tcsetattr(0, TCSADRAIN, &raw) == 0 else { throw .system("tcsetattr", errno: errno) }
    isRaw = true
    if abilities.bracketedPaste { write(Array("\u{1B}[?2004h".utf8)) }
  }

  /// Puts the terminal back into its former mode.
  package func leaveRaw() {
    guard isRaw else { return }
    if abilities.bracketedPaste { write(Array("\u{1B}[?2004l".utf8)) }
    isRaw = false
    // Nothing is left to try when the terminal itself is gone.
    _ = tcsetattr(0, TCSADRAIN, &original)
  }

  /// Stops the process like any program under job control, and returns to raw mode when it is resumed.
  package func suspend() throws(TerminalError) {
    leaveRaw()
    guard kill(0, SIGSTOP) == 0 else { throw .system("kill", errno: errno) }
    try enterRaw()
  }

  /// Waits for keys, signals or the waker. Returns an empty array when the time is over. A nil timeout waits without
  /// end.
  package func wait(milliseconds: Int?) throws(TerminalError) -> [TerminalEvent] {
    var watched = [0, waker.readEnd, signals].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let timeout = milliseconds.map { Int32(clamping: max(0, $0)) } ?? -1
    let ready = poll(&watched, nfds_t(watched.count), timeout)
    guard ready >= 0 else {
      if errno == EINTR { return [] }
      throw .system("poll", errno: errno)
    }
    var events: [TerminalEvent] = []
    if watched[1].revents != 0 {
      waker.drain()
      events.append(.woken)
    }
    if watched[2].revents != 0 { events += try takeSignals() }
    if watched[0].revents != 0 { events.append(try takeInput()) }
    return events
  }

  /// Writes all bytes. Failures are not reported here; `wait` notices a terminal that is gone.
  package func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      rest = rest.dropFirst(max(0, count))
    }
  }

  private func takeInput() throws(TerminalError) -> TerminalEvent {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(0, &bytes, bytes.count)
    if count > 0 { return .input(Array(bytes[..<count])) }
    if count < 0, errno == EINTR || errno == EAGAIN { return .input([]) }
    return .stopped
  }

  private func takeSignals() throws(TerminalError) -> [TerminalEvent] {
    var events: [TerminalEvent] = []
    var info = signalfd_siginfo()
    while read(signals, &info, MemoryLayout<signalfd_siginfo>.size)
      == MemoryLayout<signalfd_siginfo>.size
    {
      switch Int32(info.ssi_signo) {
      case SIGWINCH: events.append(.resized)
      case SIGTSTP: events.append(.suspended)
      default: events.append(.stopped)
      }
    }
    return events
  }

  /// The signals that end a program from outside. A terminal in raw mode has to be put back first.
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
