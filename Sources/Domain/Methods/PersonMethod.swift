/// The methods that keep another person's invitations away.
package enum PersonMethod: String, MethodFamily {
  case block = "person.block"
  case unblock = "person.unblock"

  package var row: MethodRow { .change(inBatch: false) }
}
