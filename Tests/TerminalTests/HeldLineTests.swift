import Domain
import Testing

@testable import WhattodoTerminal

@Suite("a line that was begun in a view of talk")
struct HeldLineTests {
  private let view = TalkView(stream: .category(Demo.groceries))

  @Test("Nobody is told of talk that is typed, also when its view is closed by now")
  func typing() {
    #expect(Attention.told("oat", in: nil, isHeld: false) == "oat")
    #expect(Attention.told("oat", in: view, isHeld: false) == nil)
    #expect(Attention.told("oat", in: nil, isHeld: true) == nil)
    for text in ["'oat", "/say oat"] {
      #expect(Attention.told(text, in: nil, isHeld: false) == nil)
    }
  }
}
