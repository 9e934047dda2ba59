// A check at the end, when all is calm: everybody has the name of their own profile everywhere
// (Domain/Decide/OtherName.swift).

import Domain

extension Truth {
  /// Returns a sentence when a list or a group shows another name of a member than the member's profile.
  func untoldName() -> String? {
    let kept = order.filter { streams[$0]?.isDropped == false }
    var names: [UserID: String] = [:]
    for case .user(let user) in kept {
      guard case .profile(let profile)? = streams[.user(user)]?.state.object(.profile, user.uuid)
      else { continue }
      names[user] = profile.name
    }
    for stream in kept {
      for case .member(let member) in streams[stream]?.state.objects.values ?? [:].values {
        guard member.role != nil, let name = names[member.id], name != member.name else { continue }
        return "\(stream): P6 \(member.id) is called \(member.name) and not \(name)"
      }
    }
    return nil
  }
}
