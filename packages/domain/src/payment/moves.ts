import { capture } from './capture.ts'
import type { Move } from './command.ts'
import { credit } from './credit.ts'
import { debit } from './debit.ts'
import { increment } from './increment.ts'
import { preauthorise } from './preauthorise.ts'
import { refund } from './refund.ts'
import { reverseCharge } from './reverse-charge.ts'
import { reverseHold } from './reverse-hold.ts'
import type { PaymentType } from './transaction.ts'

/**
 * What may follow what. A move that is not in this table does not exist; a new one is a row here and a file beside it.
 */
export const moves: Readonly<Record<PaymentType, Move>> = {
  PA: { begin: preauthorise, after: { PA: increment }, unknown: '700.400.580', unfit: '700.100.700' },
  DB: { begin: debit, after: {}, unknown: '700.400.580', unfit: '700.100.700' },
  CD: { begin: credit, after: {}, unknown: '700.400.580', unfit: '700.100.700' },
  CP: { begin: null, after: { PA: capture }, unknown: '700.400.510', unfit: '700.400.510' },
  RV: {
    begin: null,
    after: { PA: reverseHold, DB: reverseCharge, CP: reverseCharge },
    unknown: '700.400.530',
    unfit: '700.400.530',
  },
  RF: { begin: null, after: { DB: refund, CP: refund, CD: refund }, unknown: '600.200.500', unfit: '600.200.500' },
}
