// The places from which people came in since the server started. From there they do not wait behind strangers.

internal import Crypto

/// Accounts with the addresses and devices that signed in to them. The number is bounded: the oldest go.
struct KnownPlaces {
  /// An account with an address prefix, or with the secret of a device.
  struct Place: Hashable {
    let account: String
    let from: String
  }

  /// The most places: some 2 MB.
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
