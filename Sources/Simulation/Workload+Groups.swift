import Domain
import Sync

extension Workload {
  /// Mostly such that people can do something: a list full of viewers stands still.
  static let roles: [Role] = [
    .editor, .editor, .editor, .editor, .owner, .owner, .admin, .doer, .commenter, .viewer,
  ]

  /// The other members that the device knows of.
  func others(in stream: StreamID, of device: Device) -> [UserID] {
    device.objects(of: stream).compactMap { object -> UserID? in
      guard case .member(let it) = object, it.role != nil, it.id != device.person.id else {
        return nil
      }
      return it.id
    }
  }

  /// Another role for somebody, now and then for oneself.
  func regrade(_ device: Device, _ shared: [StreamID]) -> Command? {
    let world = device.world
    guard let stream = world.chance.pick(shared), let role = world.chance.pick(Workload.roles)
    else {
      return nil
    }
    let user =
      world.chance.happens(100)
      ? device.person.id : world.chance.pick(others(in: stream, of: device))
    return user.map { .setRole(stream, $0, role) }
  }

  /// Renames a group, removes one or brings one back.
  mutating func group(_ device: Device) -> Command? {
    let world = device.world
    guard let id = world.chance.pick(device.streams.compactMap(\.group)) else { return nil }
    let isRemoved = device.objects(of: .group(id)).contains { object in
      if case .group(let it) = object { it.removed != nil } else { false }
    }
    if isRemoved { return .restoreGroup(id) }
    return world.chance.happens(200)
      ? .removeGroup(id) : .editGroup(id, name: name("group", world))
  }

  /// Puts a list away now and then; one that is archived is mostly opened again, or nothing happens in it any more.
  func archive(_ categories: [CategoryID], _ device: Device) -> Command? {
    let archived = categories.filter { id in
      device.objects(of: .category(id)).contains { object in
        if case .category(let it) = object { it.archived != nil } else { false }
      }
    }
    // Not for long: in an archived list hardly anything happens.
    if let list = device.world.chance.pick(archived), device.world.chance.happens(950) {
      return .unarchiveCategory(list)
    }
    guard device.world.chance.happens(250) else { return nil }
    return device.world.chance.pick(categories).map { .archiveCategory($0) }
  }
}
