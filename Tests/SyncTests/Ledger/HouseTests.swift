import Testing

@testable import Sync

@Suite("P11: works that can wait") struct HouseTests {
  @Test("The bin is emptied without a pause, though each of its steps leaves texts to erase")
  func bin() {
    var (house, posts, texts) = (House(), 40, 0)
    var steps = 0
    while house.step({ chore, hasTexts in
      switch chore {
      case .bin:
        guard !hasTexts, posts > 0 else { return false }
        let purged = min(posts, 16)
        (posts, texts) = (posts - purged, texts + purged)
        return true
      case .texts:
        guard texts > 0 else { return false }
        texts -= min(texts, 5)
        return true
      case .zones, .dues, .overdue, .claims, .runs, .accounts, .names, .history: return false
      }
    }) { steps += 1 }
    #expect(posts == 0 && texts == 0 && steps < 30)
  }

  @Test("A chore without an end leaves the others their turns")
  func turns() {
    var (house, taken) = (House(), [House.Chore: Int]())
    for _ in 0..<90 {
      let hasMore = house.step { chore, _ in
        taken[chore, default: 0] += 1
        return chore == .overdue || chore == .names
      }
      #expect(hasMore)
    }
    for chore in House.Chore.allCases { #expect((taken[chore] ?? 0) >= 44, "\(chore)") }
  }

  @Test("While commands wait, a step comes each 20 ms at most, and without them at any time")
  func rarely() {
    var house = House()
    #expect(house.mayStep(at: 0, whileCommandsWait: true))
    house.stepped(at: 5)
    #expect(!house.mayStep(at: 24, whileCommandsWait: true))
    #expect(house.mayStep(at: 25, whileCommandsWait: true))
    #expect(house.mayStep(at: 6, whileCommandsWait: false))
  }
}
