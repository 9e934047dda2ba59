import Domain

// Commands about who may invite whom. Mostly everybody may, or nobody would come in again.
extension Workload {
  /// Blocks somebody, takes a block back, or sets who may invite.
  func reach(_ device: Device) -> Command? {
    let world = device.world
    let own = device.objects(of: .user(device.person.id))
    let blocked = own.compactMap { object in
      if case .block(let it) = object { it.user } else { nil }
    }
    if let user = world.random.pick(blocked), world.random.happens(700) {
      return .person(.unblock(user))
    }
    let isShy = own.contains { object in
      if case .profile(let it) = object { it.invitedBy != .anybody } else { false }
    }
    if isShy, world.random.happens(700) {
      return .account(.editProfile(ProfileEdit(invitedBy: .anybody)))
    }
    guard world.random.happens(500) else {
      return world.random.pick(InvitedBy.allCases).map {
        .account(.editProfile(ProfileEdit(invitedBy: $0)))
      }
    }
    return world.random.pick(world.people).map { .person(.block(username: $0.username)) }
  }

  /// Saves or removes a filter. There are few names, so that a person meets their own filters on two devices.
  func filter(_ device: Device) -> Command? {
    let world = device.world
    let own = device.objects(of: .user(device.person.id)).compactMap { object in
      if case .filter(let it) = object { it.id } else { nil }
    }
    if let id = world.random.pick(own), world.random.happens(300) { return .filter(.remove(id)) }
    let known = world.random.happens(400) ? world.random.pick(own) : nil
    let filter = Filter(
      id: known ?? FilterID(world.random.uuid()), name: "filter \(world.random.below(4))",
      PostWhere(by: world.random.happens(500) ? .me : nil),
      days: world.random.happens(500) ? DayWindow(until: world.random.below(7)) : nil,
      in: world.random.pick(device.streams.compactMap(\.category)).map { [$0] })
    return .filter(.save(filter))
  }
}
