/// How much a post matters beside others; a post without one has none.
package enum Priority: String, CaseIterable, Sendable {
  case low
  case medium
  case high
}
