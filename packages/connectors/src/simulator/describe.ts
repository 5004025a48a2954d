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

/** The guide to the simulator for merchants' developers, Markdown, made from the tables that the simulator runs on. */
export function describeSimulator(): string {
  return [
    intro,
    approvedCards(),
    otherCards(),
    bankAccounts(),
    otherAccounts(),
    decisions(),
    checks(),
    advice(),
    responses(),
    roster(),
    faults(),
  ].join('\n')
}

const intro = `# Test data

In the test environment a payment goes to a simulated acquirer. \`testMode=EXTERNAL\` asks for the test system of a real
acquirer: as long as none is connected the simulator plays it, and approves with \`000.100.112\` instead of
\`000.100.110\`. The simulator approves whatever is not named on this page, and the same request gets the same answer
every time. This page is generated from the simulator's own tables.

Use any expiry date to come, and any cvv: four digits for American Express, three for the others. Never use a real card.
`

function approvedCards(): string {
  const names = [...new Set(testCards.map(({ brand }) => brand))]
  return section(
    'Cards that are approved',
    'The last column takes part in 3-D Secure. A card that no table here names does not, and is approved.',
    table(
      ['`paymentBrand`', 'network', 'without 3-D Secure', 'with 3-D Secure'],
      names.map((brand) => [brand, brands[brand].name, numberOf(brand, false), numberOf(brand, true)]),
    ),
  )
}

function numberOf(brand: BrandCode, enrolled: boolean): string {
  return testCards.find((card) => card.brand === brand && card.enrolled === enrolled)?.number ?? ''
}

function otherCards(): string {
  return section(
    'Cards that are not approved',
    'Each is answered with one response of the acquirer, whatever the amount.',
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
    `For \`paymentBrand\` ${sepaBrands.join(' and ')}, as \`bankAccount.iban\`. These are debited and credited,
and so is any other IBAN that is not below:`,
    table(
      ['country', 'IBAN'],
      testBankAccounts.map(({ country, number }) => [countries[country].name, number]),
    ),
    `The bank rejects every payment of these, for the reason in \`resultDetails.AcquirerResponse\`. A debit (DB) of any
account is rejected for the same reason when its amount has the cents in the last column, such as 92.04.`,
    table(
      ['country', 'IBAN', 'reason', 'meaning', 'result code', 'cents'],
      rejectingBankAccounts.map((account) => {
        const { text, resultCode } = sepaRejectReasons[account.reason]
        const { name } = countries[account.country]
        return [name, account.number, account.reason, text, resultCode, centsOf(account)]
      }),
    ),
    `A payment that the bank accepts has the response ACCP. What comes back after settlement (returns, refunds such as
MD06) is not simulated yet.`,
  )
}

const sepaBrands = Object.keys(brands).filter(isSepaBrand)

function otherAccounts(): string {
  const virtualAccounts = testVirtualAccounts.map(({ number, code }) => [number, code, describeResult(code)])
  const tokens = testTokens.map(({ number, response, advice: own }) => {
    const { code, explanation, advice: usual = '' } = outcomeOfResponse(response, '')
    return [number, response, explanation, code, own ?? usual]
  })
  const giftCards = testGiftCards.map(({ number, pin, balance, response }) => {
    const { code, explanation } = outcomeOfResponse(response, '')
    return [number, pin, balance.toFixed(2), response, explanation, code]
  })
  return section(
    'Virtual accounts, network tokens and gift cards',
    'Virtual accounts pay for every brand of that kind. An id that is not listed is approved.',
    table(['`virtualAccount.accountId`', 'result code', 'meaning'], virtualAccounts),
    `Tokens pay for every card brand, \`tokenAccount.type\` NETWORK (with a cryptogram of base64, or a
\`tokenAccount.dtvc\`) or EXTERNAL. A token that is not listed is approved.`,
    table(['`tokenAccount.number`', 'response', 'meaning', 'result code', 'advice'], tokens),
    `Gift cards pay for every brand of gift cards. The balance is in the currency of the payment and stays as it is;
a debit of more than that is answered with response 51 and \`resultDetails.AvailableBalance\`, another pin with
response 55.`,
    table(['`giftCard.number`', '`giftCard.pin`', 'balance', 'response', 'meaning', 'result code'], giftCards),
    `A wallet in decrypted mode holds the number of a device: any card above will do for \`card.number\`, as it does at
a terminal. Answers to a terminal (\`pos.entryMode\`) have the fields \`pos.*\`, with \`pos.merchantId\`
${acquirerMerchantId}; where \`pos.iccDataRequest\` was sent, \`pos.iccDataResponse\` holds the EMV tags 8A and 91.`,
  )
}

function decisions(): string {
  return section(
    'What decides the outcome',
    `The first of these that a request holds decides; without any, the payment is approved. The holder and number of a
card or bank account count where it is presented (PA, DB, CD, RB); the others also decide captures, reversals and
refunds.`,
    table(
      ['', 'the request holds', 'the answer'],
      triggers.map(({ source, effect }, at) => [String(at + 1), source, effect]),
    ),
    `\`customParameters[forceMerchantAdviceCode]\` sets the merchant advice of a payment that is not approved.
Response 10 approves half of the amount of a PA, DB or RB, rounded up, with \`${approvedInPart}\`, on a channel that is
set to \`partialApproval\`; otherwise it declines. Result codes of pending payments and reasons of chargebacks cannot be
forced. In a currency without decimals the trigger amounts are 8880000 to 8889999, read as 888NNMM.`,
  )
}

function checks(): string {
  return section(
    'Address and cvv',
    `\`result.avsResponse\` is F when a billing address was sent, \`result.cvvResponse\` is M when a cvv was sent.
These ask for something else; the payment is approved all the same.`,
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
    `\`resultDetails.MerchantAdviceCode\` of a payment that is not approved. An amount of 88851.24 is answered with
response 51 and advice 24.`,
    table(
      ['code', 'advice'],
      sorted(merchantAdviceCodes).map(([code, { text }]) => [code, text]),
    ),
  )
}

function responses(): string {
  const rows = sorted(responseCodes)
    .filter(([, { class: kind }]) => kind !== 'notice')
    .map(([response, { mastercard }]) => {
      const { code, explanation, advice: usual = '' } = outcomeOfResponse(response, '')
      const result = outcomeOf(code) === 'success' ? 'approved' : `${code} ${describeResult(code)}`
      const other = mastercard === undefined ? '' : `${mastercard} ${describeResult(mastercard)}`
      return [response, explanation, result, other, usual]
    })
  return section(
    'Responses of the acquirer',
    `\`resultDetails.AcquirerResponse\`, field 39 of ISO 8583; SEPA has reasons of its own, above. Any other value
declines with 800.100.100. A forced result code comes with the response that usually leads to it, or with ${noResponse}
where none does. Every answer holds \`clearingInstituteName\` (${clearingInstituteName}), \`ConnectorTxID1\` (the
acquirer's reference), \`ConnectorTxID2\` (retrieval reference number) and \`ConnectorTxID3\` (trace number); what an
issuer says of a presented card \`CardholderInitiatedTransactionID\`, and if it approves \`AuthCode\`.`,
    table(['response', 'meaning', 'result code', 'Mastercard and Maestro', 'advice'], rows),
  )
}

const flows: Readonly<Record<ThreeDSecureFlow, string>> = {
  frictionless: 'frictionless',
  challenge: 'challenge',
  none: 'does not take part',
}

const statuses: Readonly<Record<TransactionStatus, string>> = {
  Y: 'Y authenticated',
  A: 'A attempted',
  U: 'U not possible',
  N: 'N not authenticated',
  C: 'C challenge',
}

function roster(): string {
  return section(
    'Cards for 3-D Secure',
    'What the simulated issuer does with each card. A challenge decides status and indicator when it ends.',
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
    'Cards whose 3-D Secure goes wrong',
    'Everything else about them is right: with another card the same payment is authenticated.',
    table(
      ['`paymentBrand`', 'number', 'flow', 'what happens'],
      threeDSecureFaultCards.map(({ brand, number, flow, text }) => [brand, number, flows[flow], text]),
    ),
  )
}

const section = (title: string, ...blocks: string[]): string => `## ${title}\n\n${blocks.join('\n\n')}\n`

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Entries by key: the order in which JavaScript keeps keys such as 00 and 10 is not that of the table. */
function sorted<Value>(record: Readonly<Record<string, Value>>): [string, Value][] {
  return Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
