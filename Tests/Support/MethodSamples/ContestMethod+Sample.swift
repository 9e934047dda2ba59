import Domain

private let list = Household.list

extension ContestMethod {
  var sample: MethodSample {
    let (race, coop) = (Household.race, Household.coop)
    let owner = Household.owner
    // A race that is nobody's work is everybody's.
    let open = Household.Doing(.post(.change(list, race, .unassign(owner))), by: owner)
    func change(_ post: PostID, _ change: ContestChange) -> Command {
      .post(.change(list, post, .contest(change)))
    }
    return switch self {
    case .join: .inList(.doer, change(race, .join))
    case .withdraw: .inList(.doer, change(race, .withdraw), before: [open])
    case .reach: .inList(.doer, change(race, .reach(.init(120))), before: [open])
    case .claim: .inList(.doer, change(coop, .claim(Household.freeStep)))
    case .release: .inList(.doer, change(coop, .release(Household.claimedStep)))
    }
  }
}
