// The part of a program that its person sees: the real `LocalState`, and a queue on a disk of bytes. It mirrors
// Client+Queue and Client+News, where the local state is on another thread than the replica. So what the replica tells
// comes a little later, and until then a crash takes it away.

import Calendar
import Domain
import Sync
import Wire

final class SimLocalState {
  private unowned let device: Device
  private var local = LocalState(almanac: .system)
  private var files = SimFiles()
  /// The effects that the replica told and the local state has not taken.
  private var untaken: [ReplicaEffect] = []
  private var isCalled = false
  /// The number of restarts, so that an old call has no effect.
  private var life = 0
  /// The keys of commands that the person was told to be queued, and whose outcome is not told.
  private var kept: Set<CommandKey> = []
  /// The notes that the person saw, by the change of notes.
  private var seen: [CommandKey: String] = [:]

  init(_ device: Device) { self.device = device }

  private var world: Simulation { device.world }

  /// Whether nothing waits, neither for the server nor for the local state.
  var isSettled: Bool { untaken.isEmpty && local.outbox.waiting.isEmpty }

  func view(of stream: StreamID) -> StreamState? { local.view(of: stream) }

  /// Returns the cursor of a copy. It is nil also before the server has said who the user is: until then no command is
  /// queued with a cursor.
  func cursor(of stream: StreamID) -> CursorPosition? {
    local.user == nil ? nil : local.cursors[stream]
  }

  /// Returns the notes that the author of a queued change saw.
  func notesSeen(by command: Truth.Sent) -> String? { seen[command.address.key] }

  // MARK: What the person does

  func queue(_ command: Command, _ key: CommandKey) {
    guard !local.outbox.isFull else { return }
    enqueue(asSeen(queueing(command, key), as: command), insteadOf: nil)
  }

  /// Decides about one of the refused commands.
  func tidyUp() {
    if let conflict = world.random.pick(local.conflicts) {
      let choice = world.random.pick(Conflict.Choice.allCases) ?? .theirs
      return resolve(conflict, choice)
    }
    guard let unsent = world.random.pick(local.outbox.unsent) else { return }
    let number = unsent.queued.number
    guard world.random.happens(300) else { return keep([.discarded(number)]) }
    let again = local.queueing(
      again: unsent, newKey: device.newKey(), at: world.moment.wall, number: device.nextNumber())
    // Under another key it is made over the notes that are seen now, whatever version it had.
    let command = unsent.queued.command
    let isSame = again.key == unsent.queued.key
    enqueue(asSeen(again, as: isSame ? command : command.atVersion(nil)), insteadOf: number)
  }

  private func resolve(_ conflict: Conflict, _ choice: Conflict.Choice) {
    guard let edit = conflict.edit(choice) else { return keep([.discarded(conflict.number)]) }
    // Both notes together may be too long to be sent.
    let notes = edit.notesEdit?.notes ?? ""
    guard notes.unicodeScalars.count <= Limits.notesScalarsMax else { return }
    again(edit, over: conflict.theirs.notes, insteadOf: conflict.number)
  }

  /// Makes a change at the version at which these notes were seen. Behind another waiting change of this device, it
  /// overwrites the notes of that one.
  private func again(_ edit: Command, over notes: String, insteadOf number: Int64) {
    let key = device.newKey()
    let queued = queueing(edit, key)
    let front = local.outbox.waiting.first { $0.number == queued.follows }
    seen[key] = front?.command.notes ?? notes
    enqueue(queued, insteadOf: number)
  }

  /// Notes that a change of notes is over the notes that the person sees, unless it names a version.
  private func asSeen(_ queued: QueuedCommand, as command: Command) -> QueuedCommand {
    if case .post(.change(_, .edit, ifVersion: nil)) = command {
      seen[queued.key] = notesSending(before: queued) ?? queued.seenNotes
    }
    return queued
  }

  /// Returns the notes that the device's own last change of the post writes, when the view shows that change as
  /// "sending" and not as done. The person wrote these notes, so they are seen. Nil when there is none.
  private func notesSending(before queued: QueuedCommand) -> String? {
    guard queued.follows != nil else { return nil }
    let sending = Set(local.overlay.sending)
    let own = local.outbox.waiting.last {
      $0.command.post == queued.command.post && $0.command.notes != nil
    }
    return own.flatMap { sending.contains($0.number) ? $0.command.notes : nil }
  }

  private func queueing(_ command: Command, _ key: CommandKey) -> QueuedCommand {
    local.queueing(command, key: key, at: world.moment.wall, number: device.nextNumber())
  }

  private func enqueue(_ queued: QueuedCommand, insteadOf number: Int64?) {
    kept.insert(queued.key)
    keep([.queued(queued)] + (number.map { [.discarded($0)] } ?? []))
    device.queue(queued)
  }

  /// Writes records to the disk first, then to the local state.
  private func keep(_ records: [OutboxRecord]) {
    files.append(records)
    for record in records { apply(record) }
  }

  private func apply(_ record: OutboxRecord) {
    switch record {
    case .queued, .refused: break
    case .settled(let number, _): forget(local.outbox.waiting.first { $0.number == number })
    case .discarded(let number):
      let queued = local.outbox.unsent(number)?.queued
      // A command that is queued again with its key is not forgotten.
      if !local.outbox.waiting.contains(where: { $0.key == queued?.key }) { forget(queued) }
    }
    local.apply(record)
  }

  private func forget(_ queued: QueuedCommand?) {
    guard let key = queued?.key else { return }
    kept.remove(key)
    seen[key] = nil
  }

  // MARK: What the replica tells

  func hear(_ effects: [ReplicaEffect]) {
    guard !effects.isEmpty else { return }
    untaken += effects
    guard !isCalled else { return }
    isCalled = true
    world.schedule(
      after: world.random.between(0, 12), .localStateTakes(device: device.index, life: life))
  }

  func take(_ life: Int) {
    guard life == self.life else { return }
    isCalled = false
    let effects = untaken
    untaken = []
    let records = effects.compactMap { if case .outbox(let record) = $0 { record } else { nil } }
    for case .refused(_, let error) in records where error.kind == .conflict {
      world.count(.p10Conflict)
    }
    keep(records)
    var isOver = false
    for effect in effects { take(effect, &isOver) }
    settle()
    if isOver, let saved = local.saved { files.save(saved) }
  }

  private func take(_ effect: ReplicaEffect, _ isOver: inout Bool) {
    switch effect {
    case .standing(.live(let user)): local.signedIn(as: user)
    case .standing(.offline): isOver = true
    case .replaced(let state, let cursor): local.replaced(state, cursor)
    case .happened(let stream, let events, _):
      for event in events { _ = local.happened(event, in: stream) }
      compare(stream)
    case .gone(let stream): _ = local.gone(stream)
    // The local state takes them as after half a minute.
    case .allLevel: isOver = world.random.happens(200)
    case .connect, .send, .close, .hangUp, .wake, .standing, .ephemeral, .answered, .withdrawn,
      .outbox:
      break
    }
  }

  private func settle() {
    for (number, remedy) in local.remedies {
      switch remedy {
      case .again(let command):
        guard let notes = local.outbox.unsent(number)?.queued.seenNotes else { continue }
        again(command, over: notes, insteadOf: number)
      case .done: keep([.discarded(number)])
      }
    }
  }

  // MARK: Ends and beginnings

  /// Kills the program, or lets its machine lose power, maybe while it writes; then begins with what is left.
  func reopen() -> (outbox: Outbox, saved: SavedCopies?) {
    world.count(.p1Queued, kept.count)
    if world.random.happens(500) {
      world.count(.queuePowerLoss)
      files.losePower(&world.random)
    } else {
      world.count(.queueKilled)
    }
    if world.random.happens(850), let command = world.workload.wish(device) {
      world.count(.recordTorn)
      files.tear(.queued(queueing(command, device.newKey())), &world.random)
    }
    life += 1
    (untaken, isCalled) = ([], false)
    let kept = files.open()
    local = LocalState(saved: kept.saved, outbox: kept.outbox, almanac: .system)
    checkKept(kept.outbox)
    return kept
  }

  /// Checks P1: what the person was told to be queued is there.
  private func checkKept(_ outbox: Outbox) {
    let there = Set(outbox.waiting.map(\.key) + outbox.unsent.map(\.queued.key))
    for key in kept.sorted(by: { $0.text < $1.text }) where !there.contains(key) {
      world.fail("P1 device \(device.index) has lost \(key) from its queue")
    }
  }

  // MARK: P10

  /// Checks that the local state is where its replica was, and that waiting commands do not change that.
  private func compare(_ stream: StreamID) {
    // The local state may take effects from before a restore after it.
    guard let cursor = local.cursors[stream], let truth = world.truth.streams[stream],
      cursor.epoch == truth.epoch
    else { return }
    let seq = cursor.seq
    world.count(.p10LocalState)
    let isAsTrue =
      seq <= truth.head
      && truth.isState(local.copies[stream], at: seq, shownTo: device.person.id)
    guard isAsTrue else {
      return world.fail(
        "P10 the local state of device \(device.index) has another \(stream) at \(seq)")
    }
  }

  func compareAtEnd() {
    guard local.copies.keys.sorted() == device.streams else {
      return world.fail("P10 the local state of device \(device.index) has other streams")
    }
    for stream in device.streams {
      compare(stream)
      if local.view(of: stream) != local.copies[stream] {
        world.fail(
          "P10 device \(device.index) shows another \(stream) than it has, with nothing waiting")
      }
    }
  }
}
