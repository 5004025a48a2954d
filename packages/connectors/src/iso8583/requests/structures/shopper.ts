import { billingRows, shippingRows } from './address-rows.ts'
import { structure, type StructurePart } from './structure.ts'

/** A person; the browser belongs to the authentication message. */
const personRows = [
  ['1', 'merchantCustomerId'],
  ['2', 'givenName'],
  ['3', 'middleName'],
  ['4', 'surname'],
  ['5', 'sex'],
  ['6', 'birthDate'],
  ['7', 'phone'],
  ['8', 'mobile'],
  ['9', 'workPhone'],
  ['A', 'email'],
  ['B', 'companyName'],
  ['C', 'identificationDocType'],
  ['D', 'identificationDocId'],
  ['E', 'ip'],
  ['F', 'merchantReference'],
  ['G', 'salutation'],
  ['H', 'language'],
  ['I', 'category'],
  ['J', 'status'],
] as const

/** Field 120: the account's holder, bank and gift card, the shopper, and the shopper's addresses. */
export const shopper: readonly StructurePart[] = [
  {
    kind: 'value',
    tag: 'AH',
    names: ['card.holder', 'bankAccount.holder', 'giftCard.holder'],
    valueOf: ({ account }) => account?.holder,
  },
  structure('bankAccount.', 'A', [
    ['1', 'bankName'],
    ['2', 'bankCode'],
    ['3', 'bic'],
    ['4', 'country'],
    ['5', 'mandate.id'],
    ['6', 'mandate.dateOfSignature'],
  ]),
  structure('', 'A', [['7', 'transactionDueDate']]),
  structure('customer.', 'C', personRows),
  structure('billing.', 'B', billingRows),
  structure('shipping.', 'S', shippingRows),
  structure('shipping.customer.', 'R', personRows),
  structure('giftCard.', 'G', [
    ['1', 'message'],
    ['2', 'type'],
  ]),
]
