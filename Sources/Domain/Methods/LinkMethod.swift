/// The changes of the links by which a category is seen without an account.
package enum LinkMethod: String, MethodFamily {
  case make = "link.make"
  case revoke = "link.revoke"

  package var row: MethodRow {
    switch self {
    case .make: .change(from: .admin, inBatch: false, secret: true, inArchive: true)
    case .revoke: .change(from: .admin, inBatch: false, makesRoom: true, inArchive: true)
    }
  }
}
