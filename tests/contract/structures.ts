import type { OperationName } from '@tollgate/contract'
import { cardPayment } from '../support/payments.ts'
import type { Parameters } from './minimal-form.ts'
import { rows, samplesFor } from './samples.ts'

/**
 * A request, and the fields of its answer that come of the structure beside those that are echoed. One that refers to a
 * payment is given a payment by card, one that pays with a registration, or plans such payments, that of a card without
 * a holder.
 */
export interface Use {
  readonly operation: OperationName
  readonly parameters: Parameters
  readonly fields: readonly string[]
}

const pay = (parameters: Parameters, fields: readonly string[] = []): Use => ({
  operation: 'createPayment',
  parameters,
  fields,
})
const register = (parameters: Parameters, fields: readonly string[] = []): Use => ({
  operation: 'createRegistration',
  parameters,
  fields,
})

const payStored = (parameters: Parameters, fields: readonly string[]): Use => ({
  operation: 'payWithRegistration',
  parameters,
  fields,
})

const schedule = (job: Parameters, fields: readonly string[] = []): Use => ({
  operation: 'createSchedule',
  parameters: { ...money, ...job },
  fields: ['registrationId', 'plan.active', 'plan.nextRun', ...fields],
})

const { amount, currency, paymentType, entityId, ...card } = cardPayment()
const money: Parameters = { amount: amount ?? '', currency: currency ?? '', paymentType: paymentType ?? '' }
export const entity: Parameters = { entityId: entityId ?? '' }
const { 'card.cvv': _cvv, ...cardWithoutCvv } = card
const byMerchant: Parameters = {
  'standingInstruction.type': 'UNSCHEDULED',
  'standingInstruction.mode': 'REPEATED',
  'standingInstruction.source': 'MIT',
}
const proof: Parameters = { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'AAABBEg0VhI0VniQEjRWAAAAAAA=' }

/** A value for every parameter of a section, all of them at once. */
const every = (section: string): Parameters =>
  Object.fromEntries(
    rows()
      // "Accepted only at checkout creation."
      .filter((row) => row.section === section && row.name !== 'overridePaymentType[brand]')
      .map((row) => samplesFor(row).find(({ valid }) => valid))
      .map((sample) => [sample?.name ?? '', sample?.value ?? '']),
  )

/** Data about a purchase by card: kept, and answered as it was sent. */
const data = (section: string): Use => pay({ ...money, ...card, ...every(section) })

const bankAccount: Parameters = {
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.holder': 'Jane Jones',
  'bankAccount.bankName': 'Bank',
  'bankAccount.iban': 'DE89370400440532013000',
  'bankAccount.bankCode': '37040044',
  'bankAccount.bic': 'COBADEFFXXX',
  'bankAccount.country': 'DE',
  'bankAccount.mandate.id': 'MANDATE-A',
  'bankAccount.mandate.dateOfSignature': '2024-05-06',
}
const { 'bankAccount.iban': _iban, ...bankWithoutIban } = bankAccount
const shownBankAccount = [
  'bankAccount.last4Digits',
  ...Object.keys(bankWithoutIban).filter((name) => name.startsWith('bankAccount.')),
]
const shownCard = ['card.bin', 'card.last4Digits', 'card.holder', 'card.expiryMonth', 'card.expiryYear', 'card.type']
const shownIssuer = ['card.issuer.bank', 'card.issuer.phone', 'card.issuer.website', 'card.level', 'card.regulatedFlag']
const shownTerminal = [
  'pos.clearing.authorizationAcquirerCode',
  'pos.clearing.authorizationIssuerCode',
  'pos.clearing.identifier',
  'pos.merchantId',
  'pos.iccDataResponse',
  'pos.statusText',
  'pos.timestamp',
]
const payByWallet = (wallet: Parameters): Use =>
  pay({ ...money, ...card, ...proof, ...wallet }, ['card.last4Digits', 'card.numberType'])

/** As long as a short id, by which it is replaced. */
export const DESCRIPTOR = '0000.0000.0000'

/** A query that finds something. */
const find = (parameters: Parameters): Use => ({ operation: 'queryPayments', parameters, fields: ['payments.0.id'] })

export const used: Readonly<Record<string, readonly Use[]>> = {
  'Basic payment': [
    pay(
      {
        ...every('Basic payment'),
        ...money,
        ...card,
        paymentType: 'PA',
        testMode: 'INTERNAL',
        descriptor: 'Order 7',
      },
      ['paymentBrand', 'paymentType', 'amount', 'currency', 'descriptor', 'result.code', 'resultDetails.AuthCode'],
    ),
  ],
  'Authentication parameters': [pay({ ...money, ...card }, ['id', 'ndc'])],
  'Card account': [
    pay({ ...money, ...card, 'card.numberType': 'PAN' }, [
      ...shownCard,
      ...shownIssuer,
      'card.numberType',
      'result.cvvResponse',
    ]),
    register({ ...card }, ['id', 'card.bin', 'card.last4Digits']),
  ],
  'Mobile wallets': [
    payByWallet({ 'walletA.source': 'web', 'walletA.cardNetwork': 'visa', 'walletA.cardType': 'debit' }),
    payByWallet({ 'walletB.source': 'app' }),
    payByWallet({ 'walletC.source': 'app' }),
  ],
  'Virtual account': [
    pay({ ...money, paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'shopper@wallet.example' }, [
      'virtualAccount.accountId',
    ]),
  ],
  'Bank account': [
    pay({ ...money, ...bankAccount, transactionDueDate: '2099-12-31' }, shownBankAccount),
    pay({ ...money, ...bankWithoutIban, 'bankAccount.number': '532013000' }, shownBankAccount),
    register({ ...bankAccount }, shownBankAccount),
  ],
  'Token account': [
    pay({ ...money, ...card, ...every('Token account'), 'tokenAccount.expiryYear': '2034' }, [
      'tokenAccount.last4Digits',
      'tokenAccount.type',
      'tokenAccount.expiryMonth',
      'tokenAccount.expiryYear',
      'result.cvvResponse',
    ]),
  ],
  Customer: [data('Customer')],
  'Billing address': [pay({ ...money, ...card, ...every('Billing address') }, ['result.avsResponse'])],
  'Shipping address': [data('Shipping address')],
  Corporate: [data('Corporate')],
  Sender: [data('Sender')],
  Recipient: [data('Recipient')],
  Merchant: [data('Merchant')],
  'Cart items': [data('Cart items')],
  'Cart payments': [data('Cart payments')],
  Marketplace: [data('Marketplace')],
  Airline: [data('Airline')],
  'Tokenization and registration': [
    pay({ ...money, ...card, createRegistration: 'true' }, ['registrationId']),
    payStored({ ...money, overrideHolder: 'true', 'card.holder': 'Jo Jones' }, ['registrationId', 'card.holder']),
  ],
  'Recurring migration': [register({ ...card, ...every('Recurring migration') }, ['id'])],
  '3D Secure': [
    pay({
      ...money,
      ...card,
      ...every('3D Secure'),
      ...proof,
      'threeDSecure.version': '2.2.0',
    }),
  ],
  'Custom parameters': [data('Custom parameters')],
  'Point of sale': [
    pay({ ...money, ...every('Point of sale'), paymentBrand: 'VISA' }, [...shownTerminal, 'card.type']),
    pay({ ...money, ...card, 'pos.entryMode': 'MANUAL', 'pos.terminalId': '42' }, [...shownCard, 'pos.statusText']),
  ],
  'Gift card': [
    pay({ ...money, ...every('Gift card'), paymentBrand: 'HEB_GIFT_CARD', 'giftCard.number': '6006490000999999' }, [
      'giftCard.last4Digits',
    ]),
    data('Gift card'),
  ],
  Chargeback: [
    {
      operation: 'referToPayment',
      parameters: { ...money, paymentType: 'CB', chargebackResultCode: '000.100.203' },
      fields: ['referencedId', 'result.code'],
    },
  ],
  Risk: [
    data('Risk'),
    {
      operation: 'createRiskCheck',
      parameters: { ...money, ...card, ...every('Risk'), paymentType: 'RI', 'risk.amount': '92.00' },
      fields: ['risk.score'],
    },
  ],
  Scheduling: [
    schedule(
      {
        'job.name': 'Gym',
        'job.second': '1',
        'job.minute': '2',
        'job.hour': '3',
        'job.dayOfMonth': '?',
        'job.dayOfWeek': 'MON',
        'job.month': '*',
        'job.year': '*',
        'job.startDate': '2026-01-01 00:00:00',
        'job.endDate': '2098-12-31 00:00:00',
        'job.noticeUnit': 'MONTH',
        'job.noticeNumber': '1',
        'job.durationUnit': 'YEAR',
        'job.durationNumber': '1',
        'job.noticeCallable': 'DURATION_END',
      },
      ['plan.effectiveEnd'],
    ),
    schedule({ 'job.expression': '0 0 12 L * ?' }),
  ],
  'Card on file': [
    pay(
      {
        ...money,
        ...card,
        'standingInstruction.type': 'RECURRING',
        'standingInstruction.recurringType': 'SUBSCRIPTION',
        'standingInstruction.mode': 'INITIAL',
        'standingInstruction.source': 'CIT',
        'standingInstruction.expiry': '2099-12-31',
        'standingInstruction.frequency': '28',
      },
      ['resultDetails.CardholderInitiatedTransactionID'],
    ),
    pay(
      {
        ...money,
        ...card,
        'standingInstruction.type': 'INSTALLMENT',
        'standingInstruction.mode': 'INITIAL',
        'standingInstruction.source': 'CIT',
        'standingInstruction.numberOfInstallments': '12',
      },
      ['resultDetails.CardholderInitiatedTransactionID'],
    ),
    pay(
      {
        ...money,
        ...cardWithoutCvv,
        ...byMerchant,
        'standingInstruction.initialTransactionId': '123456789012345',
      },
      ['resultDetails.CardholderInitiatedTransactionID'],
    ),
    payStored({ ...money, ...byMerchant, 'standingInstruction.industryPractice': 'NO_SHOW' }, ['registrationId']),
  ],
  'Query parameters': [
    find({ shortId: DESCRIPTOR, limit: '100', merchantTransactionId: 'of-a-query' }),
    find({
      shortId: DESCRIPTOR,
      paymentTypes: 'DB',
      paymentMethods: 'CC',
      includeLinkedTransactions: 'true',
      'date.from': '2000-01-01 00:00:00',
      'date.to': '2099-12-31 23:59:59',
    }),
  ],
}

/** Sections that no payment or registration of this version uses, why, and how that shows. */
export const unused: Readonly<Record<string, { readonly why: string; readonly shows: OperationName | Use }>> = {
  'Asynchronous payments': {
    why: 'nobody is redirected yet: what cannot be paid without is refused',
    shows: pay({ ...money, ...card, shopperResultUrl: 'https://shop.example/' }, ['redirect.url']),
  },
  'Reporting parameters': { why: 'of reports, which are neither payment nor registration', shows: 'getReport' },
}

/** Parameters of the other sections that no request of this version uses, and why. */
export const unusedParameters: Readonly<Record<string, string>> = {
  'overridePaymentType[brand]': 'accepted only at checkout creation',
  Authorization: 'a header, and sent with every request',
  'walletA.paymentToken': 'nothing decrypts it yet: 600.200.201',
  'walletB.paymentToken': 'nothing decrypts it yet: 600.200.201',
  'walletC.paymentToken': 'nothing decrypts it yet: 600.200.201',
}

/** The rights of tokens. */
export const rights = ['chargeback', 'system']
