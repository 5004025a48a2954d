import type { OperationName } from '@tollgate/contract'
import { cardPayment } from '../support/payments.ts'
import type { Parameters } from './minimal-form.ts'
import { rows, samplesFor } from './samples.ts'

/**
 * A request that uses a section, and the fields that the section adds to its answer besides the echoed parameters. A
 * follow-up refers to a payment by card; a payment or schedule of a registration uses a stored card without a holder.
 */
export interface Example {
  readonly operation: OperationName
  readonly parameters: Parameters
  readonly fields: readonly string[]
}

const payment = (parameters: Parameters, fields: readonly string[] = []): Example => ({
  operation: 'createPayment',
  parameters,
  fields,
})
const registration = (parameters: Parameters, fields: readonly string[] = []): Example => ({
  operation: 'createRegistration',
  parameters,
  fields,
})

const storedCardPayment = (parameters: Parameters, fields: readonly string[]): Example => ({
  operation: 'payWithRegistration',
  parameters,
  fields,
})

const schedule = (job: Parameters, fields: readonly string[] = []): Example => ({
  operation: 'createSchedule',
  parameters: { ...money, ...job },
  fields: ['registrationId', 'plan.active', 'plan.nextRun', ...fields],
})

const { amount, currency, paymentType, entityId, ...card } = cardPayment()
const money: Parameters = { amount: amount ?? '', currency: currency ?? '', paymentType: paymentType ?? '' }
export const entity: Parameters = { entityId: entityId ?? '' }
const { 'card.cvv': _cvv, ...cardWithoutCvv } = card
const merchantInitiated: Parameters = {
  'standingInstruction.type': 'UNSCHEDULED',
  'standingInstruction.mode': 'REPEATED',
  'standingInstruction.source': 'MIT',
}
const proof: Parameters = { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'AAABBEg0VhI0VniQEjRWAAAAAAA=' }

/** The parameters of a section except `overridePaymentType`, each with a valid value. */
const allParametersOf = (section: string): Parameters =>
  Object.fromEntries(
    rows()
      // "Accepted only at checkout creation."
      .filter((row) => row.section === section && row.name !== 'overridePaymentType[brand]')
      .map((row) => samplesFor(row).find(({ isValid }) => isValid))
      .map((sample) => [sample?.name ?? '', sample?.value ?? '']),
  )

/** A payment by card with the parameters of a section. Of the answer, only the echoed parameters are checked. */
const paymentWithAllOf = (section: string): Example => payment({ ...money, ...card, ...allParametersOf(section) })

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
const bankAccountFields = [
  'bankAccount.last4Digits',
  ...Object.keys(bankWithoutIban).filter((name) => name.startsWith('bankAccount.')),
]
const cardFields = ['card.bin', 'card.last4Digits', 'card.holder', 'card.expiryMonth', 'card.expiryYear', 'card.type']
const issuerFields = [
  'card.issuer.bank',
  'card.issuer.phone',
  'card.issuer.website',
  'card.level',
  'card.regulatedFlag',
]
const terminalFields = [
  'pos.clearing.authorizationAcquirerCode',
  'pos.clearing.authorizationIssuerCode',
  'pos.clearing.identifier',
  'pos.merchantId',
  'pos.iccDataResponse',
  'pos.statusText',
  'pos.timestamp',
]
const walletPayment = (wallet: Parameters): Example =>
  payment({ ...money, ...card, ...proof, ...wallet }, ['card.last4Digits', 'card.numberType'])

/** A placeholder for the short id of a payment, with the same length. */
export const SHORT_ID = '0000.0000.0000'

/** A query that finds a payment. */
const query = (parameters: Parameters): Example => ({
  operation: 'queryPayments',
  parameters,
  fields: ['payments.0.id'],
})

export const usedSections: Readonly<Record<string, readonly Example[]>> = {
  'Basic payment': [
    payment(
      {
        ...allParametersOf('Basic payment'),
        ...money,
        ...card,
        paymentType: 'PA',
        testMode: 'INTERNAL',
        descriptor: 'Order 7',
      },
      ['paymentBrand', 'paymentType', 'amount', 'currency', 'descriptor', 'result.code', 'resultDetails.AuthCode'],
    ),
  ],
  'Authentication parameters': [payment({ ...money, ...card }, ['id', 'ndc'])],
  'Card account': [
    payment({ ...money, ...card, 'card.numberType': 'PAN' }, [
      ...cardFields,
      ...issuerFields,
      'card.numberType',
      'result.cvvResponse',
    ]),
    registration({ ...card }, ['id', 'card.bin', 'card.last4Digits']),
  ],
  'Mobile wallets': [
    walletPayment({ 'walletA.source': 'web', 'walletA.cardNetwork': 'visa', 'walletA.cardType': 'debit' }),
    walletPayment({ 'walletB.source': 'app' }),
    walletPayment({ 'walletC.source': 'app' }),
  ],
  'Virtual account': [
    payment({ ...money, paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'shopper@wallet.example' }, [
      'virtualAccount.accountId',
    ]),
  ],
  'Bank account': [
    payment({ ...money, ...bankAccount, transactionDueDate: '2099-12-31' }, bankAccountFields),
    payment({ ...money, ...bankWithoutIban, 'bankAccount.number': '532013000' }, bankAccountFields),
    registration({ ...bankAccount }, bankAccountFields),
  ],
  'Token account': [
    payment({ ...money, ...card, ...allParametersOf('Token account'), 'tokenAccount.expiryYear': '2034' }, [
      'tokenAccount.last4Digits',
      'tokenAccount.type',
      'tokenAccount.expiryMonth',
      'tokenAccount.expiryYear',
      'result.cvvResponse',
    ]),
  ],
  Customer: [paymentWithAllOf('Customer')],
  'Billing address': [payment({ ...money, ...card, ...allParametersOf('Billing address') }, ['result.avsResponse'])],
  'Shipping address': [paymentWithAllOf('Shipping address')],
  Corporate: [paymentWithAllOf('Corporate')],
  Sender: [paymentWithAllOf('Sender')],
  Recipient: [paymentWithAllOf('Recipient')],
  Merchant: [paymentWithAllOf('Merchant')],
  'Cart items': [paymentWithAllOf('Cart items')],
  'Cart payments': [paymentWithAllOf('Cart payments')],
  Marketplace: [paymentWithAllOf('Marketplace')],
  Airline: [paymentWithAllOf('Airline')],
  'Tokenization and registration': [
    payment({ ...money, ...card, createRegistration: 'true' }, ['registrationId']),
    storedCardPayment({ ...money, overrideHolder: 'true', 'card.holder': 'Jo Jones' }, [
      'registrationId',
      'card.holder',
    ]),
  ],
  'Recurring migration': [registration({ ...card, ...allParametersOf('Recurring migration') }, ['id'])],
  '3D Secure': [
    payment({
      ...money,
      ...card,
      ...allParametersOf('3D Secure'),
      ...proof,
      'threeDSecure.version': '2.2.0',
    }),
  ],
  'Custom parameters': [paymentWithAllOf('Custom parameters')],
  'Point of sale': [
    payment({ ...money, ...allParametersOf('Point of sale'), paymentBrand: 'VISA' }, [...terminalFields, 'card.type']),
    payment({ ...money, ...card, 'pos.entryMode': 'MANUAL', 'pos.terminalId': '42' }, [
      ...cardFields,
      'pos.statusText',
    ]),
  ],
  'Gift card': [
    payment(
      {
        ...money,
        ...allParametersOf('Gift card'),
        paymentBrand: 'HEB_GIFT_CARD',
        'giftCard.number': '6006490000999999',
      },
      ['giftCard.last4Digits'],
    ),
    paymentWithAllOf('Gift card'),
  ],
  Chargeback: [
    {
      operation: 'referToPayment',
      parameters: { ...money, paymentType: 'CB', chargebackResultCode: '000.100.203' },
      fields: ['referencedId', 'result.code'],
    },
  ],
  Risk: [
    paymentWithAllOf('Risk'),
    {
      operation: 'createRiskCheck',
      parameters: { ...money, ...card, ...allParametersOf('Risk'), paymentType: 'RI', 'risk.amount': '92.00' },
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
    payment(
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
    payment(
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
    payment(
      {
        ...money,
        ...cardWithoutCvv,
        ...merchantInitiated,
        'standingInstruction.initialTransactionId': '123456789012345',
      },
      ['resultDetails.CardholderInitiatedTransactionID'],
    ),
    storedCardPayment({ ...money, ...merchantInitiated, 'standingInstruction.industryPractice': 'NO_SHOW' }, [
      'registrationId',
    ]),
  ],
  'Query parameters': [
    query({ shortId: SHORT_ID, limit: '100', merchantTransactionId: 'of-a-query' }),
    query({
      shortId: SHORT_ID,
      paymentTypes: 'DB',
      paymentMethods: 'CC',
      includeLinkedTransactions: 'true',
      'date.from': '2000-01-01 00:00:00',
      'date.to': '2099-12-31 23:59:59',
    }),
  ],
}

/**
 * Sections that no request of `usedSections` uses, with the reason and the evidence: an operation without a route, or a
 * request whose answer lacks the fields.
 */
export const unusedSections: Readonly<
  Record<string, { readonly reason: string; readonly evidence: OperationName | Example }>
> = {
  'Asynchronous payments': {
    reason: 'a payment by a card that is not enrolled in 3-D Secure has no redirect',
    evidence: payment({ ...money, ...card, shopperResultUrl: 'https://shop.example/' }, ['redirect.url']),
  },
  'Reporting parameters': {
    reason: 'a report echoes no parameter',
    evidence: {
      operation: 'getAggregations',
      parameters: {
        'date.from': '2024-01-01',
        'date.to': '2024-01-01',
        sortValue: 'SettlementTxDate',
        sortOrder: 'ASC',
      },
      fields: ['date', 'sortValue', 'sortOrder'],
    },
  },
}

/** Parameters of used sections that no request of `usedSections` contains, with the reason. */
export const unusedParameters: Readonly<Record<string, string>> = {
  'overridePaymentType[brand]': 'accepted only at checkout creation',
  Authorization: 'a header of every request',
  'walletA.paymentToken': 'tokens of wallets are not decrypted: 600.200.201',
  'walletB.paymentToken': 'tokens of wallets are not decrypted: 600.200.201',
  'walletC.paymentToken': 'tokens of wallets are not decrypted: 600.200.201',
}

/** The rights of the token with which the requests are sent. */
export const rights = ['chargeback', 'system']
