// Checks of what each message of the server may say, before the client's brain sees it.

import Domain
import Sync
import Wire

extension Device {
  func check(_ message: ServerMessage, on link: Link) {
    switch message {
    case .result(let id, let node): checkResult(id, node, on: link)
    case .error(let id, let error): checkError(id, error, on: link)
    case .events(let push):
      guard let truth = world.truth.streams[push.stream] else { return }
      for event in push.events where !truth.mayHaveEvent(person.id, event.seq) {
        world.fail("P9 device \(index) gets \(push.stream) \(event.seq) and is no member then")
      }
    case .snapshot(let page):
      guard let truth = world.truth.streams[page.stream] else { return }
      whole.take(page)
      if page.pages > 1, page.page == page.pages { world.count(.p6Pages) }
      if !truth.mayHaveState(person.id, page.seq) {
        world.fail("P9 device \(index) gets the state of \(page.stream) at \(page.seq)")
      }
    case .live(let stream, _, let seq):
      world.count(.p5Live)
      if let cursor = replica.cursor(of: stream)?.seq, cursor < seq {
        world.fail("P5 device \(index) is told to be live at \(seq) of \(stream), has \(cursor)")
      }
    case .ephemeral(let set): check(set)
    case .objects(let push): check(push)
    case .gone(let stream): whole.drop(stream)
    case .drain, .unknown: break
    }
  }

  /// Checks P6: whole objects make the copy that the ops of the same events make.
  private func check(_ push: ObjectsPush) {
    guard whole.take(push) else { return }
    world.count(.p6Whole)
    let seq = push.cursor?.seq ?? 0
    let first = world.truth.streams[push.stream]?.memberLine(for: person.id, at: seq) ?? 0
    if let difference = whole.difference(from: replica, in: push.stream, linesFrom: first) {
      world.fail("P6 device \(index), whole objects of \(push.stream): \(difference)")
    }
  }

  /// Checks P9: the device gets nothing of a stream that it does not have, or that its person was put out of.
  private func check(_ set: EphemeralSet) {
    world.count(.p9Moment)
    guard let seq = copies[set.stream],
      world.truth.streams[set.stream]?.mayHaveState(person.id, seq) == true
    else {
      return world.fail(
        "P9 device \(index) is told of the moment of \(set.stream) at \(copies[set.stream] ?? 0)")
    }
  }

  /// Takes the request that is answered. P7: answers come in the order of the requests.
  private func takeAsked(_ id: RequestID?, on link: Link) -> Link.Asked? {
    guard let first = link.asked.first else {
      world.fail("P7 an answer to nothing on device \(index)")
      return nil
    }
    if let id, first.id != id {
      world.fail("P7 device \(index) gets the answer \(id) before \(first.id)")
      return nil
    }
    world.count(.p7Answer)
    return link.asked.removeFirst()
  }

  private func checkResult(_ id: RequestID, _ node: JSONNode, on link: Link) {
    guard let asked = takeAsked(id, on: link) else { return }
    do throws(WireError) {
      switch asked.request {
      case .command:
        if let address = asked.address {
          check(try CommandResult(decoding: node), of: address, asked.hash)
        }
      case .hello:
        let hello = try HelloResult(decoding: node)
        whole.connect(replica)
        if looks { take(hello.user) } else { checkWelcome(asked) }
        check(hello.streams)
      case .open: check(try StreamStatus.decodeOpenResult(node))
      case .login(let it): checkSignIn(it, isLetIn: true, since: asked.sentAfter)
      case .changePassword:
        if let address = asked.address {
          check(try CommandResult(decoding: node), of: address, asked.hash)
        }
      case .recover:
        if let address = asked.address {
          check(try RecoverResult(decoding: node), of: address, asked.hash)
        }
      case .ping, .about, .close, .register, .logout, .query, .ephemeral, .openPairing, .pair,
        .guest, .upgrade, .deleteAccount:
        break
      }
    } catch {
      world.fail("device \(index) cannot read an answer: \(error)")
    }
  }

  private func check(_ statuses: [StreamStatus]) {
    for status in statuses {
      if status.mode == .tail { world.count(.p5Tail) }
      if status.mode == .gone { world.count(.p5Gone) }
      // Nobody is told that such a stream exists before they were let in.
      let entries = world.truth.streams[status.stream]?.entries(of: person.id) ?? 0
      if status.mode != .gone, entries == 0 {
        world.fail("P9 device \(index) is promised \(status.stream), which it never was in")
      }
    }
  }

  /// Checks P1 and P2: an acknowledged command is written, once, and every answer to its key is the same.
  private func check(_ result: CommandResult, of address: KeyAddress, _ hash: [UInt8]) {
    guard let record = world.truth.keys[address] else {
      return world.fail("P1 \(address.key) is acknowledged and not written")
    }
    guard record.hash == hash || world.truth.hashless.contains(address) else {
      return world.fail("P2 \(address.key) is another command")
    }
    let known = record.result
    guard known.changed == result.changed, known.events == result.events,
      known.number == result.number, known.version == result.version
    else { return world.fail("P2 \(address.key) has another result: \(result), not \(known)") }
    for position in result.events {
      guard let truth = world.truth.streams[position.stream], position.seq <= truth.head else {
        return world.fail("P1 \(address.key) says \(position), which is not written")
      }
      let event = truth.events[Int(position.seq) - 1]
      if event.by != address.actor || event.key != address.key {
        world.fail("P1 \(address.key) says \(position), which is another command's event")
      }
    }
  }

  /// Checks P3: a command that is refused for good is not in the log.
  private func checkError(_ id: RequestID?, _ error: ServerError, on link: Link) {
    guard let asked = takeAsked(id, on: link) else { return }
    if error.kind == .unauthenticated { checkTurnedAway(asked) }
    guard let address = asked.address else { return }
    if error.kind == .unknownOutcome { world.count(.p3Unknown) }
    guard error.retry == .no, error.kind != .keyReused, let command = asked.command else { return }
    if isForgotten(asked, address, error.kind) { return }
    // The keys of an account that ended have gone with it.
    if error.kind == .notFound, world.truth.streams[address.stream]?.isDropped == true { return }
    world.count(.p3Refused)
    if let record = world.truth.effect(ofRefused: command, sentAfter: asked.sentAfter) {
      world.fail(
        "P3 \(address.key) took effect (\(record.result.events)) and is refused: \(error.sentence)")
    }
  }
}
