import { brands } from '../brands.ts'
import { amount, boolean, chars, codesOf, currency, oneOf, pattern, text, anyText } from '../format.ts'
import { NO_PAN, REFERENCE, row, section, unechoed } from '../section.ts'
import { transactionTypes } from '../transaction-types.ts'

const brand = { ...chars('letters, digits or underscores', 1, 32), codes: codesOf(Object.keys(brands)) }
const paymentType = { ...chars('letters or digits', 2, 2), codes: codesOf(Object.keys(transactionTypes)) }

/** `PA.CP` of older platforms is a debit. The contract's format allows two characters only. */
const legacyPaymentType = pattern('2 letters or digits, or PA.CP', /^([A-Za-z0-9]{2}|PA\.CP)$/)

export const basicPayment = section('Basic payment', 'payment', [
  ...unechoed([row('amount', amount, 'R', 'The only amount that is charged, including tax and shipping.')]),
  row('taxAmount', amount, 'C'),
  row('discountAmount', amount, 'O', 'Invoice-level discount (L3 card data).'),
  ...unechoed([
    row('currency', currency, 'R'),
    row('paymentBrand', brand, 'C', 'Optional when brand detection is used for cards; otherwise mandatory.', NO_PAN),
    row('paymentType', paymentType, 'R', '', { legacy: legacyPaymentType }),
    row('integrity', boolean, 'O', 'When true, the integrity hash of the payment script is computed and returned.'),
    row(
      'overridePaymentType[brand]',
      paymentType,
      'O',
      'Per-brand payment type; paymentType is the default. Accepted only at checkout creation.',
      { key: brand },
    ),
    row('descriptor', text(1, 127), 'O', 'Part of the statement descriptor; merchant.name can override it.'),
  ]),
  row('merchantTransactionId', text(8, 255), 'C', 'Merchant reference, should be unique; used for reconciliation.', {
    ...REFERENCE,
    legacy: text(1, 255),
  }),
  row('merchantInvoiceId', text(8, 255), 'O', 'Should be unique; not sent onwards.', {
    ...REFERENCE,
    legacy: text(1, 255),
  }),
  row('merchantMemo', text(8, 255), 'O', 'Appears in reporting only.', { echo: false }),
  row('transactionCategory', chars('letters or digits', 0, 32), 'O', '', NO_PAN),
  row('sequence', anyText, 'O', 'Value FINAL marks the last transaction for CP, RV, RF and similar.'),
  row(
    'numberOfCaptures',
    pattern('1 to 98', /^([1-9]|[1-8][0-9]|9[0-8])$/),
    'O',
    'Maximum number of partial captures.',
  ),
  row('promotionCode', chars('letters or digits', 0, 15), 'O', 'One per order.'),
  row('locale', text(1, 10), 'O', 'Language and country; support depends on the connector.'),
  row('transactionLinkId', text(1, 35), 'O', 'Links life-cycle activity for a card network.', REFERENCE),
  row(
    'transactionPurposeCode',
    text(1, 12),
    'O',
    'Needed for some transfers to recipients in certain countries.',
    REFERENCE,
  ),
  ...unechoed([row('integrationType', text(1, 10), 'O')]),
  row('transactionBai', text(2, 2), 'O', 'Business application id for a money-transfer product.'),
  row('transactionTti', text(3, 3), 'O', 'Transaction type identifier for another money-transfer product.'),
  row(
    'transactionProcessingCode',
    oneOf('PURCHASE', 'FUNDING', 'PAYMENT'),
    'O',
    'Default PURCHASE; FUNDING for account funding, PAYMENT for payments in the style of original credits.',
  ),
  ...unechoed([
    row(
      'testMode',
      oneOf('EXTERNAL', 'INTERNAL'),
      'O',
      'Default INTERNAL: the simulators answer. EXTERNAL: the acquirer’s test host or, without one, the simulators.',
    ),
  ]),
  row('forex.amount', amount, 'C', 'Used when currency is converted during the transaction.'),
  row('forex.currency', currency, 'C', 'Used when currency is converted during the transaction.'),
])
