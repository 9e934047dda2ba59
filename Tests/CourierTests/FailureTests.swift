// The clauses that people read when a letter did not arrive.

import Testing

@testable import Courier

@Suite("The words of failures")
struct FailureTests {
  @Test("every failure has a clause that continues a sentence")
  func words() {
    let failures: [CourierFailure] = [
      .unknownHost, .forbiddenAddress("::1"), .cannotConnect, .timedOut, .notTried, .untrusted,
      .brokenAnswer, .badAddress, .other(code: 43),
    ]
    #expect(Set(failures.map(\.words)).count == failures.count)
    for failure in failures {
      #expect(failure.words.first?.isLowercase == true)
      #expect(failure.words.last != ".")
    }
    #expect(
      CourierFailure.forbiddenAddress("::1").words
        == "the host has no public address, and this server sends to no other")
  }
}
