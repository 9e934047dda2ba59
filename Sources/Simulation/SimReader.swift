import Calendar
import Domain
import Sync
import Wire

/// A reader thread. It takes one message after the other, reads for each at one moment, and answers at a later one.
final class SimReader {
  private unowned let server: SimServer
  private let index: Int
  private let reader: Reader<[UInt8]>
  private let store: any EventStore
  private var box: [ReaderMessage] = []
  private var held: (() -> Void)?
  private var isBusy = false

  init(_ index: Int, _ server: SimServer, _ store: any EventStore) {
    self.index = index
    self.server = server
    self.store = store
    let rate = TokenRate(count: 60, everyMilliseconds: 60_000, burst: 60)
    reader = Reader(
      store, hellos: UserLimits(rate), snapshotBytesMax: 256 * 1024,
      ReaderTools(
        server: ServerName(name: "simulated", version: "1"),
        tokenHash: { Digest.of(Array($0.utf8)) },
        startOfDay: { time, _ in
          Timestamp(milliseconds: time.milliseconds / 86_400_000 * 86_400_000)
        },
        frame: { $0 }, codes: SimCodes.book, almanac: .system))
  }

  func post(_ message: ReaderMessage) {
    box.append(message)
    callNext()
  }

  func end() { held = nil }

  private func callNext() {
    guard !isBusy, !box.isEmpty else { return }
    isBusy = true
    let world = server.world
    world.schedule(after: world.random.between(0, 4), .readerReads(server.generation, index))
  }

  func readNext() {
    guard !box.isEmpty else { return }
    held = answer(box.removeFirst())
    let world = server.world
    let isSlow = world.random.happens(SimRules.slowPerMille)
    if isSlow { world.count(.slowReader) }
    world.schedule(
      after: world.random.between(0, isSlow ? 1_500 : 3), .readerTells(server.generation, index))
  }

  func tell() {
    held?()
    held = nil
    isBusy = false
    callNext()
  }

  /// Reads now; the returned closure tells the answer later.
  private func answer(_ message: ReaderMessage) -> () -> Void {
    let (server, world) = (server, server.world)
    switch message {
    case .hello(let to, let hello): return greet(to, hello)
    case .open(let to, let identity, let cursors):
      return outcome(to) { () throws(StoreError) in
        let outcome = try reader.open(identity, cursors)
        world.checkCatchUp(outcome, from: cursors)
        return outcome
      }
    case .query(let to, let id, let identity, let query):
      return outcome(to) { () throws(StoreError) in
        let answer = try reader.answer(id, identity, query, at: world.moment)
        try world.checkFresh(store)
        world.queried(
          identity.user, query, answer, duesAreSettled: try store.dueCheck(limit: 1) == nil)
        return answer
      }
    case .watch(let loop, let read):
      var answer = HubReadAnswer<[UInt8]>.failed
      do throws(StoreError) {
        answer = try reader.answer(read, at: world.moment.milliseconds)
        world.checkTail(read, answer)
        try world.checkFresh(store)
      } catch {
        answer = .failed
      }
      let read = (read, answer)
      return { server.post(.read(read.0, read.1), to: loop) }
    }
  }

  private func outcome(
    _ to: ReplyAddress, _ body: () throws(StoreError) -> RequestOutcome
  ) -> () -> Void {
    let server = server
    do throws(StoreError) {
      let outcome = try body()
      return { server.reply(to, outcome) }
    } catch {
      return { server.reply(to, .failed(.unavailable(afterMilliseconds: 2_000))) }
    }
  }

  private func greet(_ to: ReplyAddress, _ hello: Hello) -> () -> Void {
    let (server, world, index) = (server, server.world, index)
    do throws(StoreError) {
      let counts = { (user: UserID) in server.readerIndex(of: user) == index }
      switch try reader.greet(hello, at: world.moment, counts: counts) {
      case .unwelcome: return { server.reply(to, .unwelcome) }
      case .countedElsewhere(let user):
        return { server.readers[server.readerIndex(of: user)].post(.hello(to, hello)) }
      case .outcome(let outcome, let used):
        world.checkCatchUp(outcome, from: hello.cursors)
        return {
          if let used {
            server.post(.useSession(used.session, of: used.user, at: world.moment.wall), .nobody)
          }
          server.reply(to, outcome)
        }
      }
    } catch {
      return { server.reply(to, .failed(.unavailable(afterMilliseconds: 2_000))) }
    }
  }
}
