/**
 * The smallest valid request in which a parameter can be tested: an operation that accepts the parameter, and the
 * parameters that the contract document requires with it.
 */
import type { OperationName } from '@tollgate/contract'
import type { Row, Sample } from './samples.ts'

/** Parameters by name, not yet encoded. */
export type Parameters = Readonly<Record<string, string>>

export interface MinimalForm {
  readonly operation: OperationName
  readonly parameters: Parameters
}

const entity: Parameters = { entityId: '70119a7e5eed00000000000000000c00' }
const payment: Parameters = { ...entity, amount: '92.00', currency: 'EUR', paymentType: 'DB' }
const card: Parameters = {
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
}

const paymentBy = (account: Parameters): MinimalForm => ({
  operation: 'createPayment',
  parameters: { ...payment, ...account },
})

/** A payment by card, to which every structure of a payment can be added. */
export const minimalCardPayment = paymentBy(card)

/** The forms for the sections whose parameters need another form than `minimalCardPayment`. */
const formsBySection: Readonly<Record<string, MinimalForm>> = {
  'Virtual account': paymentBy({ paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'shopper' }),
  'Bank account': paymentBy({
    paymentBrand: 'DIRECTDEBIT_SEPA',
    'bankAccount.holder': 'Jane Jones',
    'bankAccount.iban': 'DE89370400440532013000',
    'bankAccount.bic': 'DEUTDEFF',
    'bankAccount.country': 'DE',
  }),
  'Token account': paymentBy({
    paymentBrand: 'VISA',
    'tokenAccount.number': '4200000000000000',
    'tokenAccount.type': 'NETWORK',
  }),
  // "Sent with an RG request."
  'Recurring migration': {
    operation: 'createRegistration',
    parameters: { ...entity, ...card, 'recurringMigration.paymentType': 'DB' },
  },
  'Point of sale': paymentBy({ ...card, 'pos.entryMode': 'MANUAL', 'pos.terminalId': '42' }),
  Scheduling: { operation: 'createSchedule', parameters: { ...payment, registrationId: '0'.repeat(32) } },
  'Reporting parameters': {
    operation: 'getAggregations',
    parameters: { ...entity, 'date.from': '2099-01-01', 'date.to': '2099-12-31' },
  },
  'Query parameters': { operation: 'queryPayments', parameters: entity },
}

/**
 * A query by date. `date.from` and `date.to` are only valid together ("Use together with date.to."), and not with some
 * other query parameters ("Cannot be combined with a date.from and date.to range.").
 */
const queryByDate: MinimalForm = {
  operation: 'queryPayments',
  parameters: { ...entity, 'date.from': '1970-01-01 00:00:00', 'date.to': '2099-12-31 23:59:59' },
}

/** "Encrypted mode: the service decrypts." */
const walletPayment = (wallet: string): MinimalForm =>
  paymentBy({ paymentBrand: 'VISA', [`${wallet}.paymentToken`]: 'token as received' })

/** "Decrypted mode: the merchant sends card.number, card.expiryMonth, card.expiryYear, … and the source field." */
const decryptedWalletPayment = (wallet: string): MinimalForm =>
  paymentBy({
    ...card,
    'threeDSecure.verificationId': 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
    'threeDSecure.eci': '05',
    [`${wallet}.source`]: 'app',
  })

/** A valid form for a parameter. A sample is added to the form, or replaces the value in it. */
export function minimalForm({ section, surface, name }: Row): MinimalForm {
  const [structure = '', field] = name.split('.')
  if (section === 'Mobile wallets') {
    return field === 'paymentToken' ? walletPayment(structure) : decryptedWalletPayment(structure)
  }
  if (surface === 'query' && structure === 'date') return queryByDate
  // "Accepted only at checkout creation."
  if (name === 'overridePaymentType[brand]') return { operation: 'createCheckout', parameters: payment }
  return formsBySection[section] ?? minimalCardPayment
}

/**
 * The parameters that a sample adds to the form of its row. A date of a report is sent as both ends of its range, which
 * has a maximum of days.
 */
export const sentFor = ({ surface, section }: Row, { name, value }: Sample): Parameters =>
  surface === 'report' && name.startsWith('date.') && section === 'Reporting parameters'
    ? { 'date.from': value, 'date.to': value }
    : { [name]: value }
