import { refused } from '../guard.ts'
import { capture } from './capture.ts'
import { chargeBack } from './charge-back.ts'
import type { Move } from './command.ts'
import { credit } from './credit.ts'
import { debit } from './debit.ts'
import { increment } from './increment.ts'
import { preauthorise } from './preauthorise.ts'
import { rebill } from './rebill.ts'
import { recordReceipt } from './record-receipt.ts'
import { refund } from './refund.ts'
import { reverseChargeback } from './reverse-chargeback.ts'
import { reverseCharge } from './reverse-charge.ts'
import { reverseHold } from './reverse-hold.ts'
import type { PaymentType } from './transaction.ts'

/** The moves, and the types to which each may refer. A new move is a row of this table and a file beside it. */
export const moves: Readonly<Record<PaymentType, Move>> = {
  PA: { begin: preauthorise, after: { PA: increment }, unknown: '700.400.580', wrongType: '700.100.700' },
  DB: { begin: debit, after: {}, unknown: '700.400.580', wrongType: '700.100.700' },
  CD: { begin: credit, after: {}, unknown: '700.400.580', wrongType: '700.100.700' },
  CP: { begin: null, after: { PA: capture }, unknown: '700.400.510', wrongType: '700.400.510' },
  RV: {
    begin: null,
    after: { PA: reverseHold, DB: reverseCharge, CP: reverseCharge, RB: reverseCharge },
    unknown: '700.400.530',
    wrongType: '700.400.530',
  },
  RF: {
    begin: null,
    after: { DB: refund, CP: refund, CD: refund, RB: refund, RC: refund },
    unknown: '600.200.500',
    wrongType: '600.200.500',
    wrongTypeRefusals: {
      PA: refused('700.400.520', 'a preauthorisation cannot be refunded: send the id of its capture'),
    },
  },
  RB: { begin: null, after: { DB: rebill, CP: rebill }, unknown: '700.400.580', wrongType: '700.400.520' },
  CB: {
    begin: null,
    after: { DB: chargeBack, CP: chargeBack, RB: chargeBack, RF: chargeBack, CR: chargeBack },
    requiredRight: { rights: ['chargeback', 'system'], code: '700.400.402' },
    unknown: '700.400.580',
    wrongType: '700.400.550',
  },
  CR: {
    begin: null,
    after: { CB: reverseChargeback },
    requiredRight: { rights: ['chargeback', 'system'], code: '700.400.402' },
    unknown: '700.400.580',
    wrongType: '700.400.420',
  },
  RC: {
    begin: null,
    after: { PA: recordReceipt, DB: recordReceipt, CP: recordReceipt, RB: recordReceipt },
    requiredRight: { rights: ['system'], code: '700.400.562' },
    unknown: '700.400.580',
    wrongType: '700.400.560',
  },
}
