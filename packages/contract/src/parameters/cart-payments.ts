import { boolean, chars, exactAmount, oneOf, text } from '../format.ts'
import { row, section } from '../section.ts'

/** Payments that were already made towards the same cart. */
export const cartPayments = section('Cart payments', 'payment', [
  row('cart.payments[n].name', text(1, 255), 'O'),
  row('cart.payments[n].type', oneOf('GIFTCARD', 'PROMOTION'), 'O'),
  row('cart.payments[n].amount', exactAmount, 'O'),
  row('cart.payments[n].currency', chars('letters', 3, 3), 'O'),
  row('cart.payments[n].status', oneOf('pending', 'authorized', 'captured'), 'O'),
  row('cart.payments[n].brand', text(1, 255), 'O'),
  row('cart.payments[n].primary', boolean, 'O'),
])
