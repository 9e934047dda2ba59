import Domain
import Sync

extension Workload {
  /// The roles to choose from. Most of them let people do something, because a list full of viewers stands still.
  static let roles: [Role] = [
    .editor, .editor, .editor, .editor, .owner, .owner, .admin, .doer, .commenter, .viewer,
  ]

  /// Returns the other members of which the device knows.
  func others(in stream: StreamID, of device: Device) -> [UserID] {
    device.objects(of: stream).compactMap { object -> UserID? in
      guard case .member(let it) = object, it.role != nil, it.id != device.person.id else {
        return nil
      }
      return it.id
    }
  }

  /// Gives somebody another role, now and then oneself.
  func regrade(_ device: Device, _ shared: [StreamID]) -> Command? {
    let world = device.world
    guard let stream = world.random.pick(shared), let role = world.random.pick(Workload.roles)
    else {
      return nil
    }
    let user =
      world.random.happens(100)
      ? device.person.id : world.random.pick(others(in: stream, of: device))
    return user.map { .member(.setRole(stream, $0, role)) }
  }

  /// Renames a group, removes one or brings one back.
  mutating func group(_ device: Device) -> Command? {
    let world = device.world
    guard let id = world.random.pick(device.streams.compactMap(\.group)) else { return nil }
    let isRemoved = device.objects(of: .group(id)).contains { object in
      if case .group(let it) = object { it.removed != nil } else { false }
    }
    if isRemoved { return .group(.restore(id)) }
    return world.random.happens(200)
      ? .group(.remove(id)) : .group(.edit(id, name: name("group", world)))
  }

  /// Archives a list now and then. An archived list is mostly opened again, because hardly anything happens in it.
  func archive(_ categories: [CategoryID], _ device: Device) -> Command? {
    let archived = categories.filter { id in
      device.objects(of: .category(id)).contains { object in
        if case .category(let it) = object { it.archived != nil } else { false }
      }
    }
    // It is not archived for long, because hardly anything happens in an archived list.
    if let list = device.world.random.pick(archived), device.world.random.happens(950) {
      return .category(.unarchive(list))
    }
    guard device.world.random.happens(250) else { return nil }
    return device.world.random.pick(categories).map { .category(.archive($0)) }
  }
}
