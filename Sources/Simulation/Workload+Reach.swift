import Domain

// Who may ask whom: mostly everybody, or nobody would come in again.
extension Workload {
  /// Blocks somebody or takes that back, or says who may invite.
  func reach(_ device: Device) -> Command? {
    let world = device.world
    let own = device.objects(of: .user(device.person.id))
    let blocked = own.compactMap { object in
      if case .block(let it) = object { it.user } else { nil }
    }
    if let user = world.chance.pick(blocked), world.chance.happens(700) {
      return .unblockPerson(user)
    }
    let isShy = own.contains { object in
      if case .profile(let it) = object { it.invitedBy != .anybody } else { false }
    }
    if isShy, world.chance.happens(700) { return .editProfile(ProfileEdit(invitedBy: .anybody)) }
    guard world.chance.happens(500) else {
      return world.chance.pick(InvitedBy.allCases).map { .editProfile(ProfileEdit(invitedBy: $0)) }
    }
    return world.chance.pick(world.people).map { .blockPerson(username: $0.username) }
  }
}
