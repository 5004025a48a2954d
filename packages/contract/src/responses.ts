import { declineReasons } from './decline-reasons.ts'
import { bic, chars, currency, date, oneOf, pattern, text, url } from './format.ts'
import { recordColumns } from './reconciliation-record.ts'
import type { Format, Need, Row } from './row.ts'

/**
 * One field of an answer. `name` is a template like that of a parameter: dots nest objects, `[n]` is an array, any
 * other word in brackets a map key. Need: R inside a structure means whenever the structure is present.
 */
export type ResponseField = Pick<Row, 'name' | 'format' | 'key' | 'need' | 'note'>

/** One table of fields. */
export interface ResponseSection {
  readonly title: string
  readonly fields: readonly ResponseField[]
}

const field = (name: string, format: Format, need: Need, note = '', key?: Format): ResponseField => ({
  name,
  format,
  need,
  note,
  ...(key && { key }),
})

const id32 = chars('letters or digits', 32, 32)
const checkoutId = pattern('32 to 48 letters, digits, dots or hyphens', /^[A-Za-z0-9.-]{32,48}$/)
const anyId = pattern('as in the table of identifiers', /^([A-Za-z0-9]{32}|[A-Za-z0-9.-]{32,48})$/)
const ndc = text(1, 69)
const NDC_NOTE = 'Identifies the request within the gateway; in answers about checkouts, the id of the checkout.'
const code = pattern('2 to 11 digits and dots', /^[0-9.]{2,11}$/)
/** "Up to 10 digits, dot, 2 digits"; legacy channels accept more digits. */
const amount = pattern('1 to 10 (legacy: 12) digits, a dot and exactly 2 digits', /^[0-9]{1,12}\.[0-9]{2}$/)
const detailText = text(0, 2048)
const countryCode = chars('letters', 2, 2)
const mapKey = chars('letters, digits, dots or underscores', 3, 64)
const posText = chars('letters or digits', 1, 2048)
const shortText = text(1, 255)
/** Unlike `text`, accepts control characters: a parameter error repeats the name and the value that were sent. */
const errorText: Format = {
  kind: 'text',
  describe: 'up to 2048 characters',
  message: 'must have up to 2048 characters',
  schema: { type: 'string', maxLength: 2048 },
  accepts: (value) => value.length <= 2048,
}
const pageCount = pattern('a number', /^[1-9][0-9]*$/)
const json = pattern('JSON object', /^\{[^]*\}$/)
const time = '[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}'
const zonedTime = pattern('yyyy-MM-dd HH:mm:ss.SSS and zone offset', new RegExp(`^${time}\\.[0-9]{3}[+-][0-9]{4}$`))

const detail = (name: string, note: string): ResponseField => field(`resultDetails.${name}`, detailText, 'C', note)

/** The ids in answers (contract: Identifiers). */
export const identifiers: ResponseSection = {
  title: 'Identifiers',
  fields: [
    field('checkout id', checkoutId, 'R', 'Field id of a checkout. Valid for 30 minutes; {id} in its paths.'),
    field('payment id', id32, 'R', 'Field id of a payment; {id} in requests that refer to it.'),
    field('registration id', id32, 'R', 'Field id of a registration, or registrationId of the payment that made it.'),
    field('ndc', ndc, 'R', NDC_NOTE),
  ],
}

/** Payment, registration and error (contract: Response fields). Answers also echo structures of the request. */
export const responseFields: ResponseSection = {
  title: 'Payment, registration and error',
  fields: [
    field('id', anyId, 'R', 'Id of the payment, registration or checkout, or of the request if it made none.'),
    field(
      'registrationId',
      id32,
      'C',
      'The registration that createRegistration=true created, or that was used to pay.',
    ),
    field('referencedId', id32, 'C', 'The transaction that this one refers to, such as the payment of a refund.'),
    field('paymentBrand', chars('letters, digits or underscores', 1, 32), 'C', 'Brand of the request.'),
    field('paymentType', chars('letters or digits', 2, 2), 'C', 'Type of the transaction.'),
    field('amount', amount, 'C', 'Amount that the acquirer approved.'),
    field('currency', currency, 'C', 'Currency of the request.'),
    field('descriptor', text(1, 127), 'C', 'Descriptor of the request, or a generated one.'),
    field('result.code', code, 'R', 'Result code.'),
    field('result.description', text(0, 255), 'O', 'Text for the code.'),
    field('result.avsResponse', oneOf('A', 'Z', 'N', 'U', 'F'), 'C', 'Result of the address verification.'),
    field('result.cvvResponse', chars('uppercase letters', 1, 1), 'C', 'Result of the cvv verification.'),
    field('result.parameterErrors[n].name', errorText, 'R', 'The missing or invalid parameter.'),
    field('result.parameterErrors[n].value', errorText, 'O', 'The value; account data are masked.'),
    field('result.parameterErrors[n].message', errorText, 'R', 'The expected format.'),
    field(
      'declineReason',
      oneOf(...Object.keys(declineReasons)),
      'C',
      'Reason of the decline of a submitted checkout, as far as shoppers may know it.',
    ),
    field('resultDetails[key]', detailText, 'O', 'Details that depend on the acquirer.', mapKey),
    detail('ExtendedDescription', 'The acquirer’s text, or the gateway’s reason for the result.'),
    detail('clearingInstituteName', 'Name of the acquirer.'),
    detail('ConnectorTxID1', 'First reference of the acquirer.'),
    detail('ConnectorTxID2', 'Second reference of the acquirer.'),
    detail('ConnectorTxID3', 'Third reference of the acquirer.'),
    detail('AcquirerResponse', 'The acquirer’s own response code.'),
    detail('AuthCode', 'The issuer’s code of an approval.'),
    detail('CardholderInitiatedTransactionID', 'The network’s id, which later charges refer to.'),
    detail('AuthorizationExpiresAt', 'Time until which a preauthorisation can be captured.'),
    detail('AvailableBalance', 'Balance of an account with insufficient funds.'),
    detail('DuplicateOf', 'The payment that this one duplicates.'),
    detail('RetainedUntil', 'Time at which a registration ends.'),
    detail('VerifiedAt', 'Time at which an acquirer first approved the registered account.'),
    detail('CardholderInfo', 'Message of the issuer for the shopper.'),
    detail('TransactionStatusReason', 'Reason why the issuer did not authenticate the shopper.'),
    detail('RiskHits', 'Names of the matching risk rules.'),
    detail('NotChecked', 'Parameters that the risk check could not check.'),
    field('resultDetails.MerchantAdviceCode', chars('digits', 2, 2), 'O', 'The issuer’s advice after a decline.'),
    field('card.bin', chars('digits', 6, 6), 'O', 'First six digits of the card number.'),
    field('card.last4Digits', chars('digits', 4, 4), 'O', 'Last four digits of the card number.'),
    field('card.holder', text(1, 128), 'O', 'Holder of the card.'),
    field('card.expiryMonth', chars('digits', 2, 2), 'O'),
    field('card.expiryYear', chars('digits', 4, 4), 'O'),
    field(
      'card.numberType',
      oneOf('PAN', 'DPAN'),
      'O',
      'Whether the number is the card’s own or a device account number.',
    ),
    field('card.issuer.bank', detailText, 'O', 'Name of the issuer.'),
    field('card.issuer.phone', detailText, 'O', 'Phone of the issuer.'),
    field('card.issuer.website', detailText, 'O', 'Website of the issuer.'),
    field('card.type', detailText, 'O', 'Credit, debit or prepaid.'),
    field('card.level', chars('digits', 4, 4), 'O', 'Level of the card’s product.'),
    field('card.regulatedFlag', detailText, 'O', 'Whether the interchange of the card is regulated (true or false).'),
    field('bankAccount.last4Digits', chars('letters or digits', 4, 4), 'O', 'Last four characters of IBAN or number.'),
    field('bankAccount.holder', text(4, 128), 'O', 'Holder of the account.'),
    field('bankAccount.bankName', text(1, 255), 'O', 'Name of the bank.'),
    field('bankAccount.bankCode', chars('letters or digits', 1, 12), 'O', 'National code of the bank.'),
    field('bankAccount.bic', bic, 'O', 'Identifier code of the bank, ISO 9362.'),
    field('bankAccount.country', countryCode, 'O', 'ISO 3166-1.'),
    field('bankAccount.mandate.id', text(1, 256), 'O', 'Id of the direct-debit mandate.'),
    field('bankAccount.mandate.dateOfSignature', date, 'O', 'Date on which the mandate was signed.'),
    field('virtualAccount.accountId', text(3, 7), 'O', 'The account’s id, masked except for its last four characters.'),
    field('virtualAccount.agreement', oneOf('true'), 'O', 'Whether the id is that of an agreement with the provider.'),
    field('tokenAccount.last4Digits', chars('digits', 4, 4), 'O', 'Last four digits of the token.'),
    field('tokenAccount.type', oneOf('EXTERNAL', 'NETWORK'), 'O', 'Issuer of the token.'),
    field('tokenAccount.expiryMonth', chars('digits', 2, 2), 'O'),
    field('tokenAccount.expiryYear', chars('digits', 4, 4), 'O'),
    field('giftCard.last4Digits', text(4, 4), 'O', 'Last four characters of the gift card’s number.'),
    field('merchant.bankAccount.holder', text(4, 128), 'R', 'Holder of the merchant’s bank account.'),
    field('merchant.bankAccount.number', chars('letters or digits', 3, 64), 'C', 'IBAN for accounts within SEPA.'),
    field('merchant.bankAccount.bic', bic, 'C', 'ISO 9362.'),
    field('merchant.bankAccount.country', countryCode, 'C', 'ISO 3166-1.'),
    field(
      'risk.score',
      pattern('-99999 to +99999', /^[+-]?[0-9]{1,5}$/),
      'C',
      'Score of the risk check, if one was made.',
    ),
    field('brandResult', text(1, 16), 'O', 'The detected brand.'),
    field(
      'buildNumber',
      pattern('40 hexadecimal digits, @, time and offset', new RegExp(`^[0-9a-f]{40}@${time} \\+0000$`)),
      'R',
      'Identifies the version of the gateway, for support.',
    ),
    field('timestamp', zonedTime, 'R', 'Time of the answer.'),
    field('ndc', ndc, 'R', NDC_NOTE),
  ],
}

/** The redirect of the shopper (contract: Redirect fields). */
export const redirectFields: ResponseSection = {
  title: 'Redirect of an asynchronous payment',
  fields: [
    field('redirect.url', url(6, 2048), 'R', 'Absolute URL for the redirect.'),
    field('redirect.method', oneOf('GET', 'POST'), 'O', 'HTTP method of the redirect; POST if it is missing.'),
    field('redirect.parameters[n].name', shortText, 'R', 'Name of a parameter of the request.'),
    field('redirect.parameters[n].value', shortText, 'R', 'Value of the parameter.'),
    field(
      'redirect.preconditions[n].origin',
      shortText,
      'C',
      'Origin of the precondition, such as the 3-D Secure method.',
    ),
    field('redirect.preconditions[n].waitUntil', shortText, 'C', 'Event to wait for, such as iframe#onload.'),
    field('redirect.preconditions[n].description', shortText, 'C', 'Description of the precondition.'),
    field('redirect.preconditions[n].method', oneOf('GET', 'POST'), 'C', 'HTTP method of the call.'),
    field('redirect.preconditions[n].url', url(6, 2048), 'C', 'URL to call in a hidden iframe before the redirect.'),
    field('redirect.preconditions[n].parameters[n].name', shortText, 'R', 'Name of a parameter of the request.'),
    field('redirect.preconditions[n].parameters[n].value', text(1, 2048), 'R', 'Value of the parameter.'),
  ],
}

/** Data for a challenge in the 3-D Secure SDK of an app, with the names of EMV 3-D Secure. */
export const challengeFields: ResponseSection = {
  title: 'Challenge in an app',
  fields: [
    field('challenge.messageVersion', text(5, 8), 'R', 'Protocol version.'),
    field('challenge.threeDSServerTransID', text(36, 36), 'R', 'Id of the 3DS server’s transaction.'),
    field('challenge.acsTransID', text(36, 36), 'R', 'Id of the issuer’s transaction.'),
    field('challenge.dsTransID', text(36, 36), 'R', 'Id of the directory server’s transaction.'),
    field('challenge.sdkTransID', text(36, 36), 'R', 'Id of the SDK’s transaction.'),
    field('challenge.acsReferenceNumber', text(1, 32), 'R', 'Reference number of the issuer’s system.'),
    field('challenge.acsSignedContent', text(1, 16_000), 'R', 'Signed: the issuer’s address for the SDK, and its key.'),
  ],
}

/** Data for a terminal (contract: POS response fields). */
export const posFields: ResponseSection = {
  title: 'Point of sale',
  fields: [
    field('pos.clearing.authorizationAcquirerCode', posText, 'O', 'Acquirer code for receipts.'),
    field('pos.clearing.authorizationIssuerCode', posText, 'O', 'Issuer code for receipts.'),
    field('pos.clearing.identifier', posText, 'O', 'The acquirer’s transaction id.'),
    field('pos.merchantId', posText, 'O', 'The acquirer’s merchant id.'),
    field('pos.iccDataResponse', posText, 'O', 'Issuer data for the card, with the response cryptogram.'),
    field('pos.statusText', posText, 'O', 'Text for the receipt, instead of approved or declined.'),
    field(
      'pos.timestamp',
      pattern('yyyy-MM-dd hh:mm:ss', new RegExp(`^${time}$`)),
      'O',
      'Time of the transaction at the acquirer.',
    ),
  ],
}

/** Additional fields of a checkout (contract: Checkout response). */
export const checkoutFields: ResponseSection = {
  title: 'Checkout',
  fields: [
    field(
      'integrity',
      pattern('a Subresource Integrity value of sha384', /^sha384-[A-Za-z0-9+/]{64}$/),
      'C',
      'Digest of the widget’s script, if integrity=true was sent.',
    ),
  ],
}

/** The fields of a plan; the prefix is that of a list of plans, or empty. */
const planFields = (prefix: string): readonly ResponseField[] => [
  field(
    `${prefix}plan.active`,
    oneOf('true', 'false'),
    'R',
    'Whether the plan is in effect, neither ended nor replaced.',
  ),
  field(`${prefix}plan.paymentType`, oneOf('PA', 'DB', 'CD'), 'R', 'Type of each payment.'),
  field(`${prefix}plan.timeZone`, text(1, 64), 'R', 'Time zone of the job.'),
  field(`${prefix}plan.chain`, id32, 'R', 'Id of the first plan of the chain of reschedules.'),
  field(`${prefix}plan.nextRun`, zonedTime, 'C', 'The next planned time.'),
  field(`${prefix}plan.retry`, zonedTime, 'C', 'Time of the next retry, if the last run was declined.'),
  field(`${prefix}plan.lastRun`, zonedTime, 'C', 'The planned time of the last run.'),
  field(`${prefix}plan.effectiveEnd`, zonedTime, 'C', 'Time after which no charge is made.'),
  field(`${prefix}plan.ended`, detailText, 'C', 'Reason why the plan is inactive.'),
]

/** A plan of charges, or the list of all plans of a registration. Deployed clients rely on the name `plan.active`. */
export const scheduleFields: ResponseSection = {
  title: 'Schedule',
  fields: [
    ...planFields(''),
    field('schedules[n].id', id32, 'R', 'Id of the plan. The list is the answer to the id of a registration.'),
    field('schedules[n].paymentType', oneOf('SD', 'RS'), 'R', 'Type of the transaction that created the plan.'),
    field('schedules[n].amount', amount, 'R', 'Amount of each payment.'),
    field('schedules[n].currency', currency, 'R', 'Currency of each payment.'),
    ...planFields('schedules[n].'),
  ],
}

const amountsField = (name: string, note: string): ResponseField => field(`amounts.${name}`, amount, 'R', note)

/** The amounts of the whole payment. Only records of queries have them, because they change after an answer. */
export const amountsFields: ResponseSection = {
  title: 'Amounts of a payment in a query',
  fields: [
    amountsField(
      'authorised',
      'Approved preauthorisations less reversals; approved debits, payouts and rebills unless reversed.',
    ),
    amountsField('captured', 'Captures, debits, payouts, rebills and receipts, approved and not reversed.'),
    amountsField('refunded', 'Approved refunds.'),
    amountsField('chargedBack', 'Chargebacks less their reversals.'),
    amountsField('open', 'The part of a preauthorisation that can still be captured; 0.00 for other payments.'),
  ],
}

/** The pages of a query or report. The values of these two fields are numbers. */
export const pageFields: ResponseSection = {
  title: 'Pages',
  fields: [
    field(
      'pages',
      pageCount,
      'C',
      'GET /v3/query: the number of pages; for very large results a lower bound. /reports/v2: the number of pages.',
    ),
    field('pageNo', pageCount, 'C', 'GET /v3/query, /reports/v2: the number of this page.'),
  ],
}

const count = pattern('a number', /^(0|[1-9][0-9]*)$/)
/** A sum may be negative, and has three decimals if two cannot express it. */
const sum = pattern('an amount, which may be negative and have three decimals', /^-?[0-9]{1,16}\.[0-9]{2,3}$/)

const sumFields = (name: string, note: string): readonly ResponseField[] => [
  field(`${name}.count`, count, 'R', `The number of ${note}.`),
  field(`${name}.amount`, sum, 'R', `The sum of ${note}.`),
]

/** A settlement in a report: its records have one settlement id, day, currency and merchant account. */
export const aggregationFields: ResponseSection = {
  title: 'Settlement in a report',
  fields: [
    field('id', id32, 'R', 'Id of the aggregation; {id} in /reports/v1/reconciliations/aggregations/{id}.'),
    field('settlement.id', text(1, 64), 'C', 'The settlement at the institute, if its file states one.'),
    field('settlement.date', date, 'R', 'The day of settlement, in the time zone of the institute.'),
    field('settlement.currency', currency, 'R', 'Currency of all sums.'),
    field('clearingInstitute.merchantId', text(1, 64), 'R', 'The merchant’s id at the institute.'),
    field('merchantAccount.id', id32, 'R', 'The channel of the payments.'),
    field('merchantAccount.name', text(1, 255), 'C', 'Name of the channel.'),
    field('merchantEntityId', id32, 'R', 'The merchant.'),
    field('records', count, 'R', 'The number of records.'),
    ...sumFields('sales', 'settled debits'),
    ...sumFields('payouts', 'settled credits to shoppers'),
    ...sumFields('refunds', 'settled refunds'),
    ...sumFields('chargebacks', 'chargebacks'),
    ...sumFields('chargebackReversals', 'reversals of chargebacks'),
    ...sumFields('fees', 'fees that have a record of their own'),
    field('transactionFees.amount', sum, 'R', 'The sum of the fees in the records of transactions.'),
    field('failed.count', count, 'R', 'The number of records with status FAILED, which are in no sum.'),
    field('net', sum, 'R', 'Sales and chargebackReversals less all other sums: what the institute pays.'),
  ],
}

/** A record of a settlement report, under the API names of the columns of the reconciliation record. */
export const reconciliationFields: ResponseSection = {
  title: 'Record of a settlement',
  fields: recordColumns.flatMap(({ name, apiName, format, need, note }) =>
    apiName === ''
      ? []
      : apiName
          .split(' or ')
          .map((each) => field(each, name === 'MatchedTransactions' ? id32 : format, need, note || `Column ${name}.`)),
  ),
}

/** The position of further records. */
export const nextFields: ResponseSection = {
  title: 'Next records',
  fields: [
    field(
      'next',
      text(1, 64),
      'C',
      '/reports/v1: present if there are more records; the value for the parameter after.',
    ),
  ],
}

/** The envelope of a notification (contract: Events). */
export const eventFields: ResponseSection = {
  title: 'Event',
  fields: [
    field('type', oneOf('PAYMENT', 'REGISTRATION'), 'R', 'Type of the notification.'),
    field(
      'action',
      oneOf('CREATED', 'UPDATED', 'DELETED'),
      'C',
      'Always for a registration; for a payment only UPDATED, if its result changes after its expiry.',
    ),
    field('payload', json, 'R', 'JSON object: the answer to the request.'),
    field('presentationAmount', amount, 'C', 'Amount of the answer.'),
    field('presentationCurrency', currency, 'C', 'Currency of the answer.'),
  ],
}

/** The public list of result codes. */
export const resultCodeFields: ResponseSection = {
  title: 'Result codes',
  fields: [
    field('resultCodes[n].code', code, 'R', 'Result code.'),
    field('resultCodes[n].description', text(0, 255), 'R', 'Text for the code.'),
  ],
}

/** Structures with required fields that are always present in their parent; an array may be empty. */
export const requiredStructures: readonly string[] = ['result', 'redirect.parameters']

/** The content of a kind of answer. */
export interface ResponseShape {
  readonly description: string
  readonly sections: readonly ResponseSection[]
  /** The format of `id` in this kind; if absent, that of the table of fields. */
  readonly id?: Format
  /** Fields that this kind always has, even if optional in the tables. */
  readonly required: readonly string[]
  /** Whether structures of the request are echoed. */
  readonly echo: boolean
  /** The list in the answer. */
  readonly list?: ResponseList
}

/** A list in an answer. */
interface ResponseList {
  readonly name: string
  readonly isAlwaysPresent: boolean
  /** The kind of its items; by default `record`. */
  readonly items?: 'record' | 'aggregationItem' | 'reconciliationItem'
  /** The numeric fields beside the list. */
  readonly numbers?: ResponseSection
}

/** "id R, result.code R, buildNumber R, timestamp R, ndc R" (contract, Response fields), and the description. */
const commonFields: ResponseSection = {
  title: 'Every answer',
  fields: responseFields.fields.filter(({ name }) =>
    /^(id|result\.(code|description)|buildNumber|timestamp|ndc)$/.test(name),
  ),
}

const kind = (
  description: string,
  sections: readonly ResponseSection[],
  overrides: Partial<ResponseShape> = {},
): ResponseShape => ({ description, sections, id: id32, required: [], echo: true, ...overrides })

const paymentSections = [responseFields, redirectFields, challengeFields, posFields]

/** Every kind of answer. */
export const responses = {
  payment: kind('A payment', paymentSections),
  reference: kind('A transaction that refers to a payment, such as a capture, reversal or refund', paymentSections, {
    required: ['referencedId', 'paymentType', 'amount', 'currency', 'descriptor'],
  }),
  registration: kind('A registration', [responseFields, posFields]),
  riskCheck: kind('A risk check without a payment', [responseFields], {
    required: ['paymentType', 'amount', 'currency', 'risk.score'],
  }),
  threeDSecure: kind(
    'An authentication without a payment; threeDSecure has the result under the names that a payment accepts',
    [responseFields, redirectFields],
    { required: ['paymentType', 'currency'] },
  ),
  schedule: kind('A plan of recurring payments, a change of one, or the plans of a registration', [
    responseFields,
    scheduleFields,
  ]),
  record: kind('A transaction in the results of a query', [...paymentSections, amountsFields]),
  queried: kind('A transaction, with linked transactions if requested', [...paymentSections, amountsFields], {
    list: { name: 'payments', isAlwaysPresent: false },
  }),
  payments: kind('The results of a query', [responseFields], {
    echo: false,
    list: { name: 'payments', isAlwaysPresent: true },
  }),
  records: kind('A page of the results of a query', [responseFields], {
    echo: false,
    list: { name: 'records', isAlwaysPresent: true, numbers: pageFields },
  }),
  aggregationItem: kind('A settlement in a report', [aggregationFields], { echo: false }),
  reconciliationItem: kind('A record of a settlement', [reconciliationFields], { echo: false }),
  aggregations: kind('A summary of settlements', [commonFields], {
    echo: false,
    list: { name: 'aggregations', isAlwaysPresent: true, items: 'aggregationItem' },
  }),
  aggregation: kind('The records of a settlement', [commonFields, nextFields], {
    echo: false,
    list: { name: 'records', isAlwaysPresent: true, items: 'reconciliationItem' },
  }),
  aggregationsPage: kind('A page of a summary of settlements', [commonFields], {
    echo: false,
    list: { name: 'aggregations', isAlwaysPresent: true, items: 'aggregationItem', numbers: pageFields },
  }),
  aggregationPage: kind('A page of the records of a settlement', [commonFields], {
    echo: false,
    list: { name: 'records', isAlwaysPresent: true, items: 'reconciliationItem', numbers: pageFields },
  }),
  checkout: kind('A checkout', [responseFields, checkoutFields], { id: checkoutId, echo: false }),
  checkoutStatus: kind(
    'The payment or registration of a checkout; before one exists, the checkout itself (legacy: without id)',
    paymentSections,
    { id: anyId },
  ),
  error: kind('A rejection of the request or of the payment', paymentSections, {
    id: anyId,
    required: ['result.description'],
  }),
  resultCodes: kind('The registry of result codes', [commonFields, resultCodeFields], {
    required: ['resultCodes'],
    echo: false,
  }),
} satisfies Readonly<Record<string, ResponseShape>>

/** Name of a kind of answer. */
export type ResponseKind = keyof typeof responses
