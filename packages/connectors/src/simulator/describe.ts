import {
  type BrandCode,
  brands,
  countries,
  describeResult,
  isSepaBrand,
  merchantAdviceCodes,
  outcomeOf,
  responseCodes,
  sepaRejectReasons,
} from '@tollgate/contract'
import { triggers } from './outcomes.ts'
import { approvedInPart, noResponse, outcomeOfResponse } from './responses.ts'
import { clearingInstituteName } from './simulator.ts'
import { acquirerMerchantId } from './terminal.ts'
import { testGiftCards, testTokens, testVirtualAccounts } from './test-accounts.ts'
import { centsOf, rejectingBankAccounts, testBankAccounts } from './test-bank-accounts.ts'
import { responseCards, testCards } from './test-cards.ts'
import { type ThreeDSecureFlow, threeDSecureCards, type TransactionStatus } from './three-d-secure-cards.ts'
import { threeDSecureFaultCards } from './three-d-secure-fault-cards.ts'
import { avsResponses, cvvResponses, isAvsResponse, postcodeTrigger } from './verification.ts'

/** The guide to the simulator for merchants' developers, in Markdown, generated from the tables of the simulator. */
export function describeSimulator(): string {
  return [
    intro,
    approvedCards(),
    declinedCards(),
    bankAccounts(),
    otherAccounts(),
    triggerTable(),
    verifications(),
    advice(),
    responses(),
    threeDSecure(),
    faults(),
  ].join('\n')
}

const intro = `# Test data

In the test environment payments are processed by a simulated acquirer in the process of the gateway. It approves every
payment without a trigger from this page, and always gives the same result to the same request. Payments with
\`testMode=EXTERNAL\` are sent to [the acquirer's test host](#the-acquirers-test-host), the last section, or to the
simulator if no such host runs. An approval has the result code \`000.100.112\` instead of \`000.100.110\`, in either
case. This page is generated from the tables of both.

Use any future expiry date, and any cvv: four digits for American Express, three for other brands. Never use a real
card.
`

function approvedCards(): string {
  const names = [...new Set(testCards.map(({ brand }) => brand))]
  return section(
    'Cards that are approved',
    'The cards of the last column are enrolled in 3-D Secure. A card that is in no table is not ' +
      'enrolled, and is approved.',
    table(
      ['`paymentBrand`', 'network', 'without 3-D Secure', 'with 3-D Secure'],
      names.map((brand) => [brand, brands[brand].name, numberOf(brand, false), numberOf(brand, true)]),
    ),
  )
}

function numberOf(brand: BrandCode, enrolled: boolean): string {
  return testCards.find((card) => card.brand === brand && card.enrolled === enrolled)?.number ?? ''
}

function declinedCards(): string {
  return section(
    'Cards that are declined',
    'Each card gets one response of the acquirer, for every amount. Response 10 approves half of the amount if the ' +
      'channel accepts partial approvals.',
    table(
      ['`paymentBrand`', 'number', 'response', 'meaning', 'result code'],
      responseCards.map(({ brand, number, response }) => {
        const { code, explanation } = outcomeOfResponse(response, brand)
        return [brand, number, response, explanation, code]
      }),
    ),
  )
}

function bankAccounts(): string {
  return section(
    'Bank accounts',
    `Send these numbers as \`bankAccount.iban\`, with \`paymentBrand\` ${sepaBrands.join(' or ')}. The bank accepts
payments of these accounts, and of all accounts that are not in the second table:`,
    table(
      ['country', 'IBAN'],
      testBankAccounts.map(({ country, number }) => [countries[country].name, number]),
    ),
    `The bank rejects every payment of these accounts, with the reason in \`resultDetails.AcquirerResponse\`. A debit
(DB) of any account is rejected for the same reason if its amount has the cents of the last column, such as 92.04.`,
    table(
      ['country', 'IBAN', 'reason', 'meaning', 'result code', 'cents'],
      rejectingBankAccounts.map((account) => {
        const { text, resultCode } = sepaRejectReasons[account.reason]
        const { name } = countries[account.country]
        return [name, account.number, account.reason, text, resultCode, centsOf(account)]
      }),
    ),
    `An accepted payment has the response ACCP. Returns after settlement (such as refunds with MD06) are not simulated
yet.`,
  )
}

const sepaBrands = Object.keys(brands).filter(isSepaBrand)

function otherAccounts(): string {
  const virtualAccounts = testVirtualAccounts.map(({ number, code }) => [number, code, describeResult(code)])
  const tokens = testTokens.map(({ number, response, advice: ownAdvice }) => {
    const { code, explanation, advice: usualAdvice = '' } = outcomeOfResponse(response, '')
    return [number, response, explanation, code, ownAdvice ?? usualAdvice]
  })
  const giftCards = testGiftCards.map(({ number, pin, balance, response }) => {
    const { code, explanation } = outcomeOfResponse(response, '')
    return [number, pin, balance.toFixed(2), response, explanation, code]
  })
  return section(
    'Virtual accounts, network tokens and gift cards',
    'A virtual account works with every brand of virtual accounts. An id that is not listed is approved.',
    table(['`virtualAccount.accountId`', 'result code', 'meaning'], virtualAccounts),
    `A token works with every card brand, with \`tokenAccount.type\` NETWORK (and a base64 cryptogram, or a
\`tokenAccount.dtvc\`) or EXTERNAL. A token that is not listed is approved.`,
    table(['`tokenAccount.number`', 'response', 'meaning', 'result code', 'advice'], tokens),
    `A gift card works with every brand of gift cards. The balance is in the currency of the payment and never changes.
A debit or preauthorisation above the balance gets response 51 and \`resultDetails.AvailableBalance\`, or, on a
channel that is set to \`partialApproval\`, response 10 for the balance; a wrong pin gets response 55.`,
    table(['`giftCard.number`', '`giftCard.pin`', 'balance', 'response', 'meaning', 'result code'], giftCards),
    `For a wallet in decrypted mode, and for a terminal, use any card above as \`card.number\`. Answers to a terminal
(\`pos.entryMode\`) have the fields \`pos.*\`, with \`pos.merchantId\` ${acquirerMerchantId}; if
\`pos.iccDataRequest\` was sent, \`pos.iccDataResponse\` contains the EMV tags 8A and 91.`,
  )
}

function triggerTable(): string {
  return section(
    'Triggers',
    `The first matching trigger of a request determines the outcome; without a trigger, the payment is approved.
Triggers in the holder or number of an account apply to requests with an account (PA, DB, CD, RB); the other triggers
also apply to captures, reversals and refunds.`,
    table(
      ['', 'trigger', 'answer'],
      triggers.map(({ source, effect }, index) => [String(index + 1), source, effect]),
    ),
    `\`customParameters[forceMerchantAdviceCode]\` sets the merchant advice of a declined payment. Response 10 of a card
approves half of the amount of a PA, DB or RB, rounded up, with \`${approvedInPart}\`, on a channel that is set to
\`partialApproval\`; otherwise it is a decline. Result codes of pending payments and reasons of chargebacks cannot be
forced. In a currency without decimals the trigger amounts are 8880000 to 8889999, read as 888NNMM.`,
  )
}

function verifications(): string {
  return section(
    'Address and cvv',
    `\`result.avsResponse\` is F if a billing address was sent, \`result.cvvResponse\` is M if a cvv was sent, unless
the result code states a mismatch. The following values change them, and not the result code.`,
    table(
      ['`billing.postcode`', '`customParameters[forceAvsResponse]`', 'meaning'],
      Object.keys(avsResponses)
        .filter(isAvsResponse)
        .map((response) => [postcodeTrigger(response), response, avsResponses[response]]),
    ),
    table(['`customParameters[forceCvvResponse]`', 'meaning'], Object.entries(cvvResponses)),
  )
}

function advice(): string {
  return section(
    'Merchant advice',
    `\`resultDetails.MerchantAdviceCode\` of a declined payment is one of these codes. An amount of 88851.24 gets
response 51 and advice 24.`,
    table(
      ['code', 'advice'],
      sorted(merchantAdviceCodes).map(([code, { text }]) => [code, text]),
    ),
  )
}

function responses(): string {
  const rows = sorted(responseCodes)
    .filter(([, { class: responseClass }]) => responseClass !== 'notice')
    .map(([response, { mastercard }]) => {
      const { code, explanation, advice: usualAdvice = '' } = outcomeOfResponse(response, '')
      const result = outcomeOf(code) === 'success' ? 'approved' : `${code} ${describeResult(code)}`
      const mastercardResult = mastercard === undefined ? '' : `${mastercard} ${describeResult(mastercard)}`
      return [response, explanation, result, mastercardResult, usualAdvice]
    })
  return section(
    'Responses of the acquirer',
    `\`resultDetails.AcquirerResponse\` is field 39 of ISO 8583, or for SEPA one of the reasons above. A value of field
39 that is not listed is a decline with 800.100.100. A forced result code has the response that usually causes it, or
${noResponse} if there is none. Every answer has \`clearingInstituteName\` (${clearingInstituteName}),
\`ConnectorTxID1\` (the acquirer's reference), \`ConnectorTxID2\` (retrieval reference number) and \`ConnectorTxID3\`
(trace number). If an issuer answered a payment by card or token, \`CardholderInitiatedTransactionID\` is added and,
after an approval, \`AuthCode\`.`,
    table(['response', 'meaning', 'result code', 'Mastercard and Maestro', 'advice'], rows),
  )
}

const flows: Readonly<Record<ThreeDSecureFlow, string>> = {
  frictionless: 'frictionless',
  challenge: 'challenge',
  none: 'not enrolled',
}

const statuses: Readonly<Record<TransactionStatus, string>> = {
  Y: 'Y authenticated',
  A: 'A attempted',
  U: 'U unable',
  N: 'N not authenticated',
  C: 'C challenge',
}

function threeDSecure(): string {
  return section(
    'Cards for 3-D Secure',
    'This table lists the flow of each card at the simulated issuer. A challenge determines status and ECI at its end.',
    table(
      ['`paymentBrand`', 'number', 'flow', 'method call', 'status', 'ECI'],
      threeDSecureCards.map(({ brand, number, flow, methodData, transactionStatus, eci }) => [
        brand,
        number,
        flows[flow],
        methodData ? 'yes' : 'no',
        transactionStatus === undefined ? '' : statuses[transactionStatus],
        eci ?? '',
      ]),
    ),
  )
}

function faults(): string {
  return section(
    'Cards with 3-D Secure faults',
    'Each card causes one fault or has one limitation: with another card the same payment is authenticated.',
    table(
      ['`paymentBrand`', 'number', 'flow', 'fault'],
      threeDSecureFaultCards.map(({ brand, number, flow, text }) => [brand, number, flows[flow], text]),
    ),
  )
}

const section = (title: string, ...blocks: string[]): string => `## ${title}\n\n${blocks.join('\n\n')}\n`

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Entries sorted by key, because JavaScript puts keys such as 10 before keys such as 00. */
function sorted<Value>(record: Readonly<Record<string, Value>>): [string, Value][] {
  return Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
