// A person whose account ends, in some runs. They ask for the end now and then, and keep the account when there is
// time. When the server ends it, nothing is left of them but what they wrote. When an earlier copy of the store is put
// back, they are there again.

import Domain
import Sync
import Wire

extension Device {
  /// Whether nothing is left of its person.
  var isOver: Bool { world.truth.streams[.user(person.id)]?.isDropped ?? false }

  func leaveOrStay() {
    let own = replica.state(of: .user(person.id))
    guard case .profile(let profile) = own?.object(.profile, person.id.uuid) else { return }
    if profile.endsAt != nil { return Workload.send(.account(.keep), self) }
    let places = streams.filter { $0 != .user(person.id) }
    // A person whom nobody has met does not have to be forgotten by anybody.
    guard places.contains(where: isShared) || world.random.happens(50) else { return }
    // A forgotten key would delete the account a second time; in such runs the operator does it.
    guard world.workload.keepMilliseconds == nil, !world.random.happens(300) else {
      let days = world.random.happens(700) ? 0 : SimRules.graceDays
      world.server?.post(.askForEnd(person.id, days: days), .nobody)
      return
    }
    if let (place, heir) = places.compactMap(heir).first {
      return Workload.send(.member(.setRole(place, heir, .owner)), self)
    }
    ask(.deleteAccount(DeleteAccountRequest(password: password, key: newKey())))
  }

  private func isShared(_ place: StreamID) -> Bool {
    !world.workload.others(in: place, of: self).isEmpty
  }

  /// Returns the place and its next owner, when its only owner goes; nil when there is another owner, or nobody else.
  private func heir(of place: StreamID) -> (StreamID, UserID)? {
    var (owns, others) = (false, [UserID]())
    for object in objects(of: place) {
      guard case .member(let it) = object, let role = it.role else { continue }
      if it.id == person.id {
        owns = role == .owner && it.grants.viaGroup != .owner
      } else if role == .owner {
        return nil
      } else {
        others.append(it.id)
      }
    }
    return owns ? others.first.map { (place, $0) } : nil
  }

  /// Checks that its person may be kept out: a bot that had an owner and was to end.
  func checkShutOut() {
    world.count(.p9ShutOut)
    let states = world.truth.streams[.user(person.id)]?.states ?? []
    let wasEnded = states.contains {
      guard case .profile(let it) = $0.object(.profile, person.id.uuid) else { return false }
      return it.owner != nil && it.endsAt != nil
    }
    if !wasEnded { world.fail("P9 device \(index) is kept out, and its person is no ended bot") }
  }

  /// Signs in again, because an earlier copy of the store was put back and the person may have an account again, or
  /// because the owner of a bot may have kept it.
  func comeBackToLife() {
    if token == nil, !isSigningIn, !isProgram { logIn() }
  }
}

extension Simulation {
  /// Returns a sentence when the store names a person of whom nothing is left.
  func named(in store: any EventStore) throws(StoreError) -> String? {
    for device in devices where device.isOver {
      count(.p9Over)
      let name = Array("\"\(device.person.username)\"".utf8)
      for stream in truth.order where truth.streams[stream]?.isDropped == false {
        let events = try store.events(in: stream, after: 0, through: .max, bytesMax: .max)
        let objects = try store.snapshot(of: stream)?.objects ?? []
        if let text = (events.map(\.body) + objects).first(where: { $0.contains(name) }) {
          let shown = String(decoding: text, as: UTF8.self)
          return "P9 \(stream) names \(device.person.username), who is gone: \(shown)"
        }
      }
    }
    return nil
  }
}
