import type { RequestParameters } from '../form.ts'
import { exactAmount } from '../format.ts'
import type { Known, ParameterName } from '../names.ts'
import { FINE, type Rule, type Wrong } from './rule.ts'

const id = 'marketPlace.sellers[n].id'
const sellerId = 'cart.items[n].sellerId'

/** The index in a name such as `cart.items[3].sellerId`. */
const indexIn = ({ path }: Known): number => Number(path[2])

export const sellerAmount: Rule = {
  sentence:
    "marketPlace.sellers[n].amount: total amount of the seller's items, which are the cart items whose sellerId " +
    'equals its id.',
  blames: ['marketPlace.sellers[n].amount'],
  // Older platforms passed it on unread.
  strictOnly: true,
  structures: ['marketPlace'],
  find({ form }) {
    const totals = totalsOf(form)
    return form.sent.flatMap((known): readonly Wrong[] => {
      if (known.row.name !== id) return FINE
      const amount = `marketPlace.sellers[${indexIn(known)}].amount` as const
      const [stated, total] = [centsOf(form, amount), totals.get(form.values.get(known.name) ?? '')]
      // No comparison for a seller without items or items without totals; wrong formats have been reported already.
      if (total === undefined || Number.isNaN(total) || Number.isNaN(stated) || stated === total) return FINE
      return [{ name: amount, message: 'must be the sum of totalAmount of the cart items with the sellerId' }]
    })
  },
}

/** By seller, the sum of the items in cents; NaN if an item has no total. */
function totalsOf(form: RequestParameters): ReadonlyMap<string, number> {
  const totals = new Map<string, number>()
  for (const known of form.sent) {
    if (known.row.name !== sellerId) continue
    const seller = form.values.get(known.name) ?? ''
    const amount = `cart.items[${indexIn(known)}].totalAmount` as const
    totals.set(seller, (totals.get(seller) ?? 0) + centsOf(form, amount))
  }
  return totals
}

/** NaN for an absent or malformed amount. */
function centsOf({ values }: RequestParameters, name: ParameterName): number {
  const amount = values.get(name) ?? ''
  return exactAmount.accepts(amount) ? Number(amount.replace('.', '')) : Number.NaN
}
