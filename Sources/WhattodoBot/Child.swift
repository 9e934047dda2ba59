import Glibc

/// A command that the bot runs. The bot passes on the command's output and errors to its own, and passes on to the
/// command the signals that ask the bot to end.
struct Child {
  private let process: pid_t
  private var pipes: Pipes
  private var status: Int32?
  /// Whether SIGINT or SIGTERM came to the bot while the command ran.
  private var isAskedToEnd = false

  private static let passedOn = [SIGHUP, SIGINT, SIGTERM]
  /// The longest time between two looks for signals and for the end of the command.
  private static let lookEveryMilliseconds: Int32 = 100

  /// Holds back the signals that are passed on. To be called before there is another thread, since a thread takes over
  /// the held-back signals of the one that starts it.
  static func prepareSignals() {
    // This never fails for a signal that exists. With it a closed pipe is an error of the write.
    _ = signal(SIGPIPE, SIG_IGN)
    var set = passedOnSet
    guard pthread_sigmask(SIG_BLOCK, &set, nil) == 0 else {
      preconditionFailure("these signals can be blocked")
    }
  }

  private static var passedOnSet: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in passedOn { sigaddset(&set, signal) }
    return set
  }

  /// Runs a command to its end. `tell` is called whenever there may be something to tell. It returns the milliseconds
  /// for which there is nothing more, or -1 when there is nothing until output comes.
  static func run(
    _ command: [String], _ patterns: Patterns, telling tell: (inout Input) -> Int32
  ) -> (Ending, Input) {
    // Output and errors of the command are two sources, so their lines do not mix.
    var input = Input(sources: 2, patterns)
    var child: Child
    do throws(StartError) {
      child = try Child(command)
    } catch {
      return (.unstarted(error: error.number), input)
    }
    let ending = child.follow(&input, tell)
    input.finish()
    return (ending, input)
  }

  private mutating func follow(_ input: inout Input, _ tell: (inout Input) -> Int32) -> Ending {
    while !isOver {
      let wait = tell(&input)
      let patience = wait < 0 ? Child.lookEveryMilliseconds : min(wait, Child.lookEveryMilliseconds)
      copy(to: &input, milliseconds: patience)
      passSignalsOn()
    }
    // A signal that came as the command ended.
    passSignalsOn()
    // The pipes may still hold output of the command. A process that it left behind may hold them open for ever.
    while copy(to: &input, milliseconds: 0) && !pipes.isOver {}
    return ending
  }

  @discardableResult
  private mutating func copy(to input: inout Input, milliseconds: Int32) -> Bool {
    guard !pipes.isOver else {
      _ = poll(nil, 0, milliseconds)
      return false
    }
    return pipes.read(milliseconds: milliseconds) { bytes, source in
      // First, because a pattern that a person gave may take long.
      Child.pass(bytes, to: source == 0 ? STDOUT_FILENO : STDERR_FILENO)
      input.take(bytes, from: source)
    }
  }

  /// Writes the bytes. Gives up when nobody reads them, so that the run goes on.
  private static func pass(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        return
      }
      rest = rest.dropFirst(count)
    }
  }

  private mutating func passSignalsOn() {
    var (set, now) = (Child.passedOnSet, timespec())
    while case let signal = sigtimedwait(&set, nil, &now), signal > 0 {
      if signal != SIGHUP { isAskedToEnd = true }
      // The number of a process that has ended may be another's by now. This one may have ended just now.
      if status == nil { _ = kill(process, signal) }
    }
  }

  // MARK: - the end

  /// Whether the command has ended. Each read asks the system.
  private var isOver: Bool {
    mutating get {
      if status != nil { return true }
      var word: Int32 = 0
      guard waitpid(process, &word, WNOHANG) == process else { return false }
      status = word
      return true
    }
  }

  /// The ending of the command, from the status that wait(2) gives.
  private var ending: Ending {
    guard let status else { preconditionFailure("the command has ended") }
    let signal = status & 0x7F
    if signal != 0 { return .killed(signal: signal) }
    let code = (status >> 8) & 0xFF
    if code == 0 { return .succeeded }
    return isAskedToEnd ? .stopped(status: code) : .failed(status: code)
  }

  // MARK: - the start

  private struct StartError: Error { let number: Int32 }

  private init(_ command: [String]) throws(StartError) {
    let (output, errors) = (try Child.makePipe(), try Child.makePipe())
    process = try Child.spawn(command, output: output.write, errors: errors.write)
    for descriptor in [output.write, errors.write] {
      guard close(descriptor) == 0 else { preconditionFailure("a pipe's end was not closed") }
    }
    pipes = Pipes([output.read, errors.read])
  }

  /// Makes a pipe. Neither end stays open in the command.
  private static func makePipe() throws(StartError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw StartError(number: errno) }
    for end in ends {
      guard fcntl(end, F_SETFD, FD_CLOEXEC) == 0 else { throw StartError(number: errno) }
    }
    return (ends[0], ends[1])
  }

  /// Starts a command with its signals as a shell would set them.
  private static func spawn(
    _ command: [String], output: Int32, errors: Int32
  ) throws(StartError) -> pid_t {
    var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
    var (none, usual) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&usual)
    sigaddset(&usual, SIGPIPE)
    let flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
      for word in words { free(word) }
    }
    var process: pid_t = 0
    let steps: [() -> Int32] = [
      { posix_spawn_file_actions_init(&actions) },
      { posix_spawnattr_init(&attributes) },
      { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) },
      { posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) },
      { posix_spawnattr_setsigmask(&attributes, &none) },
      { posix_spawnattr_setsigdefault(&attributes, &usual) },
      { posix_spawnattr_setflags(&attributes, flags) },
      { posix_spawnp(&process, command[0], &actions, &attributes, &words, environ) },
    ]
    for step in steps {
      let number = step()
      guard number == 0 else { throw StartError(number: number) }
    }
    return process
  }
}
