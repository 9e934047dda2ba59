/// The weight of a post beside others. A post need not have one.
package enum Priority: String, CaseIterable, Sendable {
  case low
  case medium
  case high
}
