import { brands, isBrand, paymentMethodOf } from './brands.ts'
import { cardBrands } from './card-brands.ts'
import { responseCodes } from './response-codes.ts'
import { CONFIDENTIAL_DECLINE, declineReasonOf, declineReasons } from './decline-reasons.ts'
import { sepaRejectReasons } from './sepa-reject-reasons.ts'
import { isLanguage, languages } from './languages.ts'
import { limits } from './limits.ts'
import { merchantAdviceCodes } from './merchant-advice-codes.ts'
import { rowsOf } from './names.ts'
import { type Operation, operations, servedOperations } from './operations.ts'
import { login } from './parameters/login.ts'
import { walletAliases } from './parameters/mobile-wallets.ts'
import { paymentMethods } from './payment-methods.ts'
import * as answers from './responses.ts'
import { chargebackReasons } from './chargeback-reasons.ts'
import { recordColumns } from './reconciliation-record.ts'
import { isResultCode, resultCodes, resultGroups } from './result-codes.ts'
import type { Row, Section, Surface } from './row.ts'
import { rules } from './rules/rules.ts'
import { furtherSections, sections } from './sections.ts'
import { transactionTypes } from './transaction-types.ts'
import { widgetTexts } from './widget-texts/index.ts'

const code = (text: string): string => `\`${text}\``
const codes = (texts: readonly string[]): string => texts.map(code).join(', ')
/** Escapes Markdown outside of code spans, and the bar, which ends a cell, everywhere. */
const cell = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/[\\*<>]/g, String.raw`\$&`)))
    .join('')
    .replaceAll('|', String.raw`\|`)

const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')

/** The table of a registry: each code, and the cells of its row. */
const registry = <T>(
  head: readonly string[],
  rows: Readonly<Record<string, T>>,
  cellsOf: (row: T) => readonly string[],
): string =>
  table(
    head,
    Object.entries(rows).map(([key, row]) => [code(key), ...cellsOf(row)]),
  )

const page = (title: string, ...parts: readonly string[]): string =>
  [`# ${title}`, 'Generated from `packages/contract` by `npm run generate`; do not edit.', ...parts, ''].join('\n\n')

/** The entries sorted by key, because an object lists keys such as `10` before keys such as `01`. */
const sorted = <T>(record: Readonly<Record<string, T>>): readonly (readonly [string, T])[] =>
  Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1))

/** The meaning of the letters in a table. */
const needs = (required: string, conditional: string): string =>
  [`- **R**: ${required}`, `- **C**: ${conditional}`, '- **O**: optional.'].join('\n')

const needsOfRequests = needs(
  'required; in a structure such as `card.*` as soon as any parameter of the structure is sent.',
  'conditional; required in the cases that its note describes.',
)
const needsOfAnswers = needs(
  'always present; in a structure such as `redirect` whenever the structure is present.',
  'present in some cases.',
)

/**
 * The note on card numbers in a parameter that differs from the default. By default they are masked in free text, and
 * other formats are not checked.
 */
const panNote = ({ format, pan }: Row): string => {
  if (pan === 'refuse') return 'No card number.'
  return pan === 'accept' && format.kind === 'text' ? 'Not checked for card numbers.' : ''
}

const notesOf = (row: Row): string => notesWith(row, panNote(row))

const notesWith = ({ note, key, secret, legacy, deprecated, format }: Row, pan: string): string =>
  [
    deprecated === true ? 'Deprecated.' : '',
    note,
    key === undefined ? '' : `Key: ${key.describe}.`,
    secret === undefined ? pan : 'Secret: no answer, error or log repeats it.',
    legacy === undefined || legacy.describe === format.describe ? '' : `Legacy channels: ${legacy.describe}.`,
  ]
    .filter((part) => part !== '')
    .join(' ')

const sectionOf = ({ title, rows }: Section): string => {
  const cells = rows.map((row) => [code(row.name), row.format.describe, row.need, notesOf(row)])
  return `### ${title}\n\n${table(['Parameter', 'Format', 'Need', 'Notes'], cells)}`
}

const surfaceTitles: Readonly<Record<Surface, string>> = {
  payment: 'Payments and registrations',
  query: 'Queries',
  report: 'Reports',
}

/** The parameters that an operation refuses; `cart.*`: all parameters of the structure. */
function refusedBy({ surface, refused }: Operation): readonly string[] {
  const rows = rowsOf(surface)
  const isWhole = (structure: string): boolean => {
    const ownRows = rows.filter(({ name }) => structureOf(name) === structure)
    return ownRows.length > 1 && ownRows.every(({ name }) => Object.hasOwn(refused, name))
  }
  const names = Object.keys(refused).map((name) => {
    const structure = structureOf(name)
    return isWhole(structure) ? `${structure}.*` : name
  })
  return [...new Set(names)]
}

const structureOf = (name: string): string => name.replace(/[.[].*/, '')

const parameters = (): string =>
  page(
    'Parameters',
    'Requests are forms (`application/x-www-form-urlencoded; charset=UTF-8`). Names are case-sensitive. ' +
      'An empty value counts as not sent, except for `customParameters[name]`. Unknown parameters are ' +
      'ignored, except in queries and reports on strict channels, which refuse them. `[n]` is an index ' +
      `from 0 to ${limits.itemsMax - 1}; any other word in brackets is a key. ` +
      'All invalid parameters are reported at once, in `result.parameterErrors` of an answer with result code ' +
      '`200.300.404`.',
    needsOfRequests,
    `A sequence of ${limits.cardNumberDigitsMin} to ${limits.cardNumberDigitsMax} digits that passes the Luhn check, ` +
      'in groups separated by spaces or hyphens, counts as a card number. In free text its digits are stored and ' +
      'returned as asterisks. Parameters noted as “No card number” and the keys of maps are invalid with one. ' +
      'Numbers and references are returned unchanged.',
    `Aliases of wallets: ${Object.entries(walletAliases)
      .map(([alias, name]) => `${code(`${alias}.*`)} for ${code(`${name}.*`)}`)
      .join(', ')}.`,
    '## Operations',
    '`cart.*` means all parameters of a structure.',
    table(
      ['Operation', 'Request', 'Summary', 'Required', 'Must not be sent'],
      servedOperations.map((name) => {
        const { method, path, summary, required } = operations[name]
        return [code(name), code(`${method} ${path}`), summary, codes(required), codes(refusedBy(operations[name]))]
      }),
    ),
    '## Rules between parameters',
    table(
      ['Rule', 'Parameters', 'Legacy channels too'],
      Object.values(rules).map(({ sentence, parameters: names, strictOnly }) => [
        sentence,
        codes(names),
        strictOnly ? 'no' : 'yes',
      ]),
    ),
    ...Object.entries(surfaceTitles).flatMap(([surface, title]) => [
      `## ${title}`,
      ...[...sections, ...furtherSections].filter((section) => section.surface === surface).map(sectionOf),
    ]),
    '## Legacy channels',
    'Parameters that only channels with `compatibility: legacy` accept; elsewhere they are unknown. ' +
      'On `GET` and `DELETE` they are in the query string.',
    sectionOf(login),
  )

const fieldsOf = ({ title, fields }: answers.ResponseSection): string => {
  const cells = fields.map(({ name, format, key, need, note }) => [
    code(name),
    format.describe,
    need,
    key === undefined ? note : `${note} Key: ${key.describe}.`,
  ])
  return `## ${title}\n\n${table(['Field', 'Format', 'Need', 'Notes'], cells)}`
}

const responses = (): string =>
  page(
    'Responses',
    'Every answer is a JSON object; all values are strings, also amounts and numbers, except ' +
      '`pages` and `pageNo`. New fields may appear at any time. Structures of the request, such as ' +
      '`customer`, `billing`, `cart` and `customParameters`, are echoed without account data.',
    needsOfAnswers,
    ...[
      answers.identifiers,
      answers.responseFields,
      answers.redirectFields,
      answers.challengeFields,
      answers.posFields,
      answers.scheduleFields,
      answers.amountsFields,
      answers.pageFields,
      answers.aggregationFields,
      answers.reconciliationFields,
      answers.nextFields,
      answers.checkoutFields,
      answers.resultCodeFields,
    ].map(fieldsOf),
    '## Kinds',
    table(
      ['Kind', 'Content', 'Always present, besides R'],
      Object.entries(answers.responses).map(([kind, { description, required }]) => [
        kind,
        description,
        codes(required),
      ]),
    ),
  )

const resultCodePage = (): string =>
  page(
    'Result codes',
    '`result.code` is the outcome of a request, and `result.description` its text. Evaluate the ' +
      'code: the text may change. *Again* means that the same request may succeed later without a ' +
      'change.',
    '## Groups',
    table(
      ['Group', 'Meaning', 'Outcome'],
      Object.entries(resultGroups).map(([group, { description, outcome }]) => [group, description, outcome]),
    ),
    '## Codes',
    table(
      ['Code', 'Description', 'Group', 'Again', 'Decline reason'],
      Object.entries(resultCodes).map(([resultCode, { text, group, retriable }]) => [
        code(resultCode),
        text,
        group,
        retriable ? 'yes' : '',
        isResultCode(resultCode) ? (declineReasonOf(resultCode) ?? '') : '',
      ]),
    ),
    '## Decline reasons',
    '`declineReason` in the answer to the submit of a checkout contains only reasons that shoppers may know. It ' +
      'depends on the result code only, as in the last column above. The answer to a `generic` decline of a bank, an ' +
      `issuer, a block list or a risk check has \`${CONFIDENTIAL_DECLINE}\` and neither ` +
      '`resultDetails` nor `cvvResponse`; the status of the checkout, read with an access token, has the actual code.',
    registry(['Reason', 'Meaning'], declineReasons, (description) => [description]),
    '## Merchant advice codes',
    '`resultDetails.MerchantAdviceCode` is the issuer’s advice after a decline. [Schedules](../guides/schedules.md' +
      '#declined-charges) follow it. An attempt with the card against it is not sent to an acquirer of a card ' +
      'network, but [declined](../guides/routing.md#retries-of-declined-cards) with the code in the third column. ' +
      'The simulator gives the advice and accepts every attempt.',
    table(
      ['Advice', 'Meaning', 'Refused with', 'For hours'],
      sorted(merchantAdviceCodes).map(([advice, { text, blockCode, blockedHours }]) => [
        code(advice),
        text,
        blockCode === undefined ? '' : code(blockCode),
        blockedHours === undefined ? '' : String(blockedHours),
      ]),
    ),
    '## Response codes of acquirers',
    'Values of `resultDetails.AcquirerResponse`, with their result codes.',
    table(
      ['Response', 'Meaning', 'Result code', 'Mastercard'],
      sorted(responseCodes).map(([response, { text, resultCode, mastercard }]) => [
        code(response),
        text,
        code(resultCode),
        mastercard === undefined ? '' : code(mastercard),
      ]),
    ),
    '## Reasons of rejected SEPA payments',
    'Values of `resultDetails.AcquirerResponse` of a direct debit or credit transfer that the bank rejects.',
    registry(['Reason', 'Meaning', 'Result code'], sepaRejectReasons, ({ text, resultCode }) => [
      text,
      code(resultCode),
    ]),
    '## Reasons of chargebacks',
    'Reasons of the networks and banks in settlement files, with the result codes of their chargebacks: ' +
      '`ReasonCode` and `ReasonDesc` of the [reconciliation record](reconciliation.md). Any other reason is ' +
      '`000.100.200`, of SEPA `000.100.299`; `000.100.232` means that liability lies with the issuer. ' +
      'If a chargeback was recorded with another code, the record has that code and its text.',
    table(
      ['Network', 'Reason', 'Meaning', 'Result code'],
      Object.entries(chargebackReasons).flatMap(([network, reasons]) =>
        sorted(reasons).map(([reason, { text, resultCode }]) => [network, code(reason), text, code(resultCode)]),
      ),
    ),
  )

const transactionTypePage = (): string =>
  page(
    'Transaction types and payment methods',
    '## Transaction types',
    '*initial* types begin a payment, a registration or a check, *referencing* ones refer to one; *system* ' +
      'types are created by the gateway, clearing files or callers with a right for them; *filter* ' +
      'codes are accepted in queries and match no transaction.',
    registry(['Type', 'Name', 'Class', 'Refers to'], transactionTypes, (row) => [
      row.name,
      row.class,
      codes(row.references),
    ]),
    '## Payment methods',
    registry(['Method', 'Name', 'Finds'], paymentMethods, ({ name, finds }) => [name, finds]),
    'The method of each brand is in the [table of brands](brands.md#all-brands).',
  )

const brandPage = (): string =>
  page(
    'Brands',
    'Values of `paymentBrand`. A *sync* brand answers with the final result, an *async* one with a ' +
      'pending result and a redirect. *Document*: `customer.identificationDocType` and ' +
      '`customer.identificationDocId` are mandatory, except on legacy channels.',
    '## All brands',
    table(
      ['Brand', 'Name', 'Kind', 'Method', 'Flow', 'Document'],
      Object.keys(brands)
        .filter(isBrand)
        .map((brand) => {
          const { name, kind, flow, identification } = brands[brand]
          return [code(brand), name, kind, code(paymentMethodOf(brand, undefined)), flow, identification ? 'yes' : '']
        }),
    ),
    '## Card numbers',
    'Without `paymentBrand` the brand is detected by the longest matching prefix. A co-brand may ' +
      'also have numbers of its networks; select it with `paymentBrand`. Maestro has no number in the ' +
      'range of another network, unless that is a co-brand of Maestro.',
    registry(['Brand', 'Prefixes', 'Digits', 'Luhn', 'cvv', 'Several captures', 'Networks'], cardBrands, (card) => [
      card.ranges,
      card.lengths,
      card.luhn ? 'yes' : 'no',
      String(card.cvvLength),
      card.multipleCaptures ? 'yes' : 'no',
      codes(card.networks),
    ]),
  )

const eventPage = (): string =>
  page(
    'Events',
    'A notification is the answer to a payment or registration in an envelope. The payload of a ' +
      'capture, reversal or refund has `referencedId`.',
    needsOfAnswers,
    fieldsOf(answers.eventFields),
  )

const reconciliationPage = (): string =>
  page(
    'Reconciliation record',
    'A CSV file (RFC 4180) in UTF-8 with a header. Semicolons separate the columns, LF ends the lines, and quotes ' +
      'enclose only values with a semicolon, a quote or a line break. Values are written as they were received; text ' +
      'that is longer than its column is cut. Amounts are not negative: *Cashflow* is their direction.',
    [
      '- **R**: always present.',
      '- **C**: present in some cases.',
      '- **O**: present if known.',
      '- **+**: only in files with the references (*TransactionId* and *InvoiceId*) or the memo of the merchant.',
    ].join('\n'),
    table(
      ['Column', 'Name in the API', 'Format', 'Need', 'Notes'],
      recordColumns.map(({ name, apiName, format, need, note, option }) => [
        code(name),
        apiName === '' ? '' : apiName.split(' or ').map(code).join(' or '),
        format.describe,
        option === undefined ? need : `${need}+`,
        note,
      ]),
    ),
  )

const widgetTextPage = (): string =>
  page(
    'Texts of the widget',
    'The texts of the widget and of the pages of the gateway. A shop overrides texts by their keys, ' +
      'in `wpwlOptions.labels`. Names in braces are placeholders.',
    ...Object.keys(languages)
      .filter(isLanguage)
      .flatMap((language) => [
        `## ${languages[language].name} (${code(language)})`,
        registry(['Key', 'Text'], widgetTexts[language], (text) => [text]),
      ]),
  )

/** The reference documents for people, by file name; Markdown made from the tables of this package. */
export const referencePages = (): Readonly<Record<string, string>> => ({
  'parameters.md': parameters(),
  'responses.md': responses(),
  'result-codes.md': resultCodePage(),
  'transaction-types.md': transactionTypePage(),
  'brands.md': brandPage(),
  'events.md': eventPage(),
  'reconciliation.md': reconciliationPage(),
  'widget-texts.md': widgetTextPage(),
})
