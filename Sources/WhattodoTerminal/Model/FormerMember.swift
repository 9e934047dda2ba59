import Domain
import Wire

// Somebody whose account has ended has no username any more (protocol §5.9).
private func called(_ username: String) -> String {
  username.isEmpty ? "a former member" : "@" + username
}

extension Member {
  var calledName: String { called(username) }
}

extension MemberLine {
  var calledName: String { called(username) }
}
