// Where somebody came in before, since the server started: from there they do not wait behind strangers.

internal import Crypto

/// Accounts with the addresses and devices that signed in to them. Bounded: the oldest go.
struct KnownPlaces {
  /// An account and an address prefix, or the secret of a device.
  struct Place: Hashable {
    let account: String
    let from: String
  }

  /// Some 2 MB.
  static let placesMax = 16_384

  private var numbers: [Place: Int] = [:]
  private var made = 0

  func contains(_ place: Place) -> Bool { numbers[place] != nil }

  var count: Int { numbers.count }

  mutating func note(_ place: Place) {
    made += 1
    numbers[place] = made
    guard numbers.count > KnownPlaces.placesMax else { return }
    let newest = made - KnownPlaces.placesMax / 2
    numbers = numbers.filter { $0.value > newest }
  }
}
