/// The changes of who is in a category or group, and in which role.
package enum MemberMethod: String, MethodFamily {
  case leave = "member.leave"
  case remove = "member.remove"
  case setRole = "member.set_role"

  package var row: MethodRow {
    switch self {
    case .leave: .ending(from: .viewer, inArchive: true)
    case .remove: .ending(from: .admin, inArchive: true)
    case .setRole: .change(from: .admin, inArchive: true)
    }
  }
}
