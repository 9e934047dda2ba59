// A device that looks at a list by a link. It is no user, has nothing, sends nothing of its own and is told what a
// viewer of this one list is told. The truth counts it as a member from the event that makes the link to the one that
// ends it. So the checkers of members' devices check it too: it has what there is, and nothing that comes after the
// end.

import Domain
import Sync
import Wire

extension Device {
  /// Looks by a link that exists or, while people act, by one that is over or that nobody has made.
  func look() {
    guard looks, token == nil else { return }
    let made = world.truth.links(at: world.moment.wall)
    guard !world.isCalm, world.random.happens(550) else {
      if let it = world.random.pick(made) { look(at: it.category, by: it.link) }
      return
    }
    let everMade = world.truth.everMade
    let ofRemoved = everMade.filter {
      world.truth.ending(of: $0.link.guest, at: world.moment.wall) == .p9LinkOfRemoved
        && world.truth.isRemoved($0.category)
    }
    if let it = world.random.pick(ofRemoved) ?? world.random.pick(everMade) {
      return look(at: it.category, by: it.link)
    }
    if world.random.happens(100) { look(by: "no link", as: UserID(world.random.uuid())) }
  }

  private func look(at category: CategoryID, by link: GuestLink) {
    look(by: SimCodes.book.linkText(link.id, category), as: link.guest)
  }

  /// Takes the guest that the server names. A link that was made again after an earlier copy was put back has another
  /// guest. P9: it must be a guest of the link by which the device looks.
  func take(_ guest: UserID) {
    guard guest != person.id else { return }
    let isLink = world.truth.everMade.contains {
      $0.link.guest == guest && SimCodes.book.linkText($0.link.id, $0.category) == token
    }
    guard isLink else { return world.fail("P9 device \(index) looks as \(guest), of another link") }
    known(as: guest)
  }

  /// Counts the reason for which the device stopped seeing. Ends by an event are counted with the event.
  func stoppedSeeing() {
    let reason = world.truth.ending(of: person.id, at: world.moment.wall)
    let isTold = reason == .p9LinkRevoked || reason == .p9LinkOfMaker
    world.count(isTold ? .p9LookEnded : reason)
  }

  /// Checks an answer. P9: the server answers only what a link is for.
  func answeredLooking(_ request: Request, _ result: Result<ReplicaAnswer, RequestFailure>) {
    guard case .success = result else {
      if case .failure(.refused(let error)) = result, error.kind == .forbidden {
        world.count(.p9LookRefused)
      }
      return
    }
    switch request {
    case .hello, .ping, .about, .open, .close, .ephemeral(.presence): break
    case .query(.posts(let query)) where query.show != .removed: world.count(.p9Looked)
    default: world.fail("P9 who looks by a link is answered to \(request)")
    }
  }
}

extension Event {
  /// The reason why a link ends that this event ends.
  var endingOfLinks: Premise {
    for op in ops {
      switch op {
      case .member(.removed), .member(.granted): return .p9LinkOfMaker
      case .link(.made): return .p9LinkOver
      default: continue
      }
    }
    return .p9LinkRevoked
  }
}

extension Truth {
  /// Returns the reason why this guest is shown nothing.
  func ending(of guest: UserID, at now: Timestamp) -> Premise {
    for stream in order {
      guard let truth = streams[stream], let link = truth.links.first(where: { $0.guest == guest })
      else { continue }
      return truth.linkEnds[guest] ?? (link.isOver(at: now) ? .p9LinkOver : .p9LinkOfRemoved)
    }
    return .p9LinkUnknown
  }

  /// All links that were ever made, in the order of their lists.
  var everMade: [(category: CategoryID, link: GuestLink)] {
    order.compactMap(\.category).flatMap { category in
      (streams[.category(category)]?.links ?? []).map { (category: category, link: $0) }
    }
  }

  func isRemoved(_ id: CategoryID) -> Bool {
    guard case .category(let category) = streams[.category(id)]?.state.object(.category, id.uuid)
    else { return true }
    return category.removed != nil
  }

  /// Returns the links that show something at this moment.
  func links(at now: Timestamp) -> [(category: CategoryID, link: GuestLink)] {
    order.compactMap(\.category).flatMap { id -> [(category: CategoryID, link: GuestLink)] in
      guard let state = streams[.category(id)]?.state, !isRemoved(id) else { return [] }
      return state.objects.keys.sorted().compactMap { key in
        guard case .link(let link) = state.objects[key], !link.isOver(at: now) else { return nil }
        return (category: id, link: link)
      }
    }
  }
}
