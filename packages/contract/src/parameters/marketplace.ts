import { exactAmount, text } from '../format.ts'
import { REFERENCE, row, section } from '../section.ts'

export const marketplace = section('Marketplace', 'payment', [
  row(
    'marketPlace.sellers[n].id',
    text(1, 255),
    'O',
    "The seller's items are the cart items with this sellerId.",
    REFERENCE,
  ),
  row('marketPlace.sellers[n].amount', exactAmount, 'O', "Total amount of the seller's items."),
])
