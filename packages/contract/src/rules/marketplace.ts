import type { RequestParameters } from '../form.ts'
import { exactAmount } from '../format.ts'
import type { KnownParameter, ParameterName } from '../names.ts'
import { NO_VIOLATIONS, type Rule, type Violation } from './rule.ts'

const id = 'marketPlace.sellers[n].id'
const sellerId = 'cart.items[n].sellerId'

/** The index in a name such as `cart.items[3].sellerId`. */
const indexIn = ({ path }: KnownParameter): number => Number(path[2])

export const sellerAmount: Rule = {
  sentence:
    "marketPlace.sellers[n].amount: total amount of the seller's items, which are the cart items whose sellerId " +
    'equals its id.',
  parameters: ['marketPlace.sellers[n].amount'],
  // Older platforms did not check the sum.
  strictOnly: true,
  triggers: ['marketPlace'],
  check({ form }) {
    const totals = totalsOf(form)
    return form.sent.flatMap((parameter): readonly Violation[] => {
      if (parameter.row.name !== id) return NO_VIOLATIONS
      const amount = `marketPlace.sellers[${indexIn(parameter)}].amount` as const
      const [stated, total] = [centsOf(form, amount), totals.get(form.values.get(parameter.name) ?? '')]
      // Sellers without items or without an amount, and items without totals, are not compared. Invalid formats have
      // been reported already.
      if (total === undefined || Number.isNaN(total) || Number.isNaN(stated) || stated === total) return NO_VIOLATIONS
      return [{ name: amount, message: 'must be the sum of totalAmount of the cart items with the sellerId' }]
    })
  },
}

/** The sum of the items of each seller, in cents; NaN if an item has no total. */
function totalsOf(form: RequestParameters): ReadonlyMap<string, number> {
  const totals = new Map<string, number>()
  for (const parameter of form.sent) {
    if (parameter.row.name !== sellerId) continue
    const seller = form.values.get(parameter.name) ?? ''
    const amount = `cart.items[${indexIn(parameter)}].totalAmount` as const
    totals.set(seller, (totals.get(seller) ?? 0) + centsOf(form, amount))
  }
  return totals
}

/** NaN for an absent or malformed amount. */
function centsOf({ values }: RequestParameters, name: ParameterName): number {
  const amount = values.get(name) ?? ''
  return exactAmount.accepts(amount) ? Number(amount.replace('.', '')) : Number.NaN
}
