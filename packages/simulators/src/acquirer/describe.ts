import { responseCodes, resultOfResponse, unknownResponse } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { amountOutcomes, outcomeAmountMinor } from './amount-outcomes.ts'
import { type CardOutcome, cardOutcomes } from './card-outcomes.ts'
import { knobs } from './faults.ts'
import { testCardKey } from './issuer-data.ts'
import { receiptTexts } from './receipt-texts.ts'
import { settlementCurrency } from './settlement/exchange-rates.ts'
import { chargebackFeeMinor } from './settlement/fees.ts'
import { fileFaults } from './settlement/row-faults.ts'
import { hostFileFormats } from './settlement/settlement-file.ts'
import { addressResults } from './verification-results.ts'

/** A section on the acquirer's test host for merchants' developers, in Markdown, generated from its tables. */
export function describeAcquirer(): string {
  return [intro, cards(), amounts(), verifications(), terminals(), faults(), settlement(), separateProcess].join('\n\n')
}

const PAYMENT = `curl http://127.0.0.1:8080/v1/payments \\
  -H "Authorization: Bearer $TOKEN" \\
  -d "entityId=$ENTITY" \\
  -d "testMode=EXTERNAL" \\
  -d "amount=92.00" \\
  -d "currency=EUR" \\
  -d "paymentBrand=VISA" \\
  -d "paymentType=DB" \\
  -d "card.number=4999990000000510" \\
  -d "card.holder=Jane Jones" \\
  -d "card.expiryMonth=05" \\
  -d "card.expiryYear=2034" \\
  -d "card.cvv=123"`

const intro = `## The acquirer's test host

A payment with \`testMode=EXTERNAL\`, and every transaction that refers to it, is sent as a message of ISO 8583 to a
test host, across a network and with its timeouts. The gateway starts the host with the sandbox, on port 8084. With the
variables of the [README](../../README.md#a-first-payment):

${block('sh', PAYMENT)}

${block(
  'json',
  `{
  "result": { "code": "800.100.155", "cvvResponse": "M" },
  "resultDetails": {
    "ExtendedDescription": "Not enough funds",
    "clearingInstituteName": "Tollgate test host",
    "AcquirerResponse": "51",
    "MerchantAdviceCode": "02"
  }
}`,
)}

The host processes cards, tokens and gift cards; the simulator answers payments from bank accounts and virtual accounts.
Payments by redirect are sent to the simulated banks. The triggers above have no effect on the host. It remembers what
it has processed: each card has a balance, and a refund of an unknown payment is declined with response 25. The host
gives the merchant advice of each response, and the gateway
[limits further attempts](routing.md#retries-of-declined-cards) with a declined card, say for 72 hours after response
51: test with another card, or move the clock of the sandbox.

\`ConnectorTxID1\` is the retrieval reference number (field 37), \`ConnectorTxID2\` the original data by which later
messages name this one (field 90), \`ConnectorTxID3\` the approval code (field 38), and
\`CardholderInitiatedTransactionID\` the network's id (field 62).`

function cards(): string {
  return `**Cards.** A card that is not listed is approved, unless it has expired (response 54).

${table(
  ['`paymentBrand`', 'number', 'response', 'meaning', 'result code'],
  cardOutcomes.map((card) => [brandOf(card), card.number, ...outcomeOf(card)]),
)}`
}

const brandOf = ({ number }: CardOutcome): 'VISA' | 'MASTER' => (number.startsWith('4') ? 'VISA' : 'MASTER')

function outcomeOf(card: CardOutcome): readonly string[] {
  const { code, availableMinor } = card
  if (code === undefined)
    return ['00 or 51', `Has a balance of ${((availableMinor ?? 0) / 100).toFixed(2)} in each currency`, '']
  if (code === '10')
    return [code, 'Approved for half of the amount; reversed if the channel does not accept partial approvals', '']
  return [code, textOf(code), resultOfResponse(code, brandOf(card))]
}

const textOf = (code: string): string => (responseCodes[code] ?? unknownResponse).text

function amounts(): string {
  const rows = sorted(amountOutcomes)
  const [same, other] = [
    rows.filter(([digits, code]) => digits === code),
    rows.filter(([digits, code]) => digits !== code),
  ]
  return `**Amounts.** Of a PA, DB, RB, CD or RF from ${(outcomeAmountMinor / 100).toFixed(2)} on, the last two digits
of the amount select the response: 10000.51 is declined with 51. In a currency without decimals, such amounts begin at
${outcomeAmountMinor}. Digits that are not listed have no effect. After the responses 09 (request in progress) and 68
(the issuer answered too late) the payment is reversed, because its outcome is open (900.100.301).

${table(['digits', 'response'], [[same.map(([digits]) => digits).join(' '), 'the same'], ...other])}`
}

function verifications(): string {
  return `**Address and cvv.** \`result.avsResponse\` depends on the postcode:

${table(
  ['`billing.postcode`', '`result.avsResponse`'],
  [...sorted(addressResults), ['another one', 'F'], ['none', 'U']],
)}

\`result.cvvResponse\` is N for a cvv of zeros, M for another one, and P without a cvv.`
}

function terminals(): string {
  return `**Terminals.** The host has no keys of terminals: every encrypted card (\`pos.encryptedSred.data\`) is a card
of its own, which is approved unless the amount selects another response, and no PIN is verified. To data of a chip
(\`pos.iccDataRequest\`) the issuer answers with tag 91: its cryptogram by method 1 of EMV Book 2, 8.2.1, with the key
${testCardKey} for every card, and the response code. A lost or stolen card (responses 41 and
43) also gets a script (tag 72), which blocks it. With these responses, \`pos.statusText\` is a text of the host:

${table(['response', '`pos.statusText`'], sorted(receiptTexts))}

[Sales that the card has approved offline](terminals.md#offline-sales) are approved, also above the balance.`
}

function faults(): string {
  return `**Faults.** Faults of the host are set at the address of the simulated banks. With this one the next debit is
answered with another amount:

${block(
  'sh',
  `curl -X PUT http://127.0.0.1:8083/acquirer/faults -d '[{ "knob": "wrongAmount", "types": ["0200"], "next": 1 }]'`,
)}

The gateway reverses the debit:

${block('sh', PAYMENT.replace('4999990000000510', '4200000000000000'))}

${block('json', `{ "result": { "code": "900.100.301" } }`)}

${block('sh', `curl "http://127.0.0.1:8083/acquirer/transactions?limit=1"`)}

${block('json', `{ "transactions": [{ "kind": "sale", "state": "reversed", "card": "420000******0000" }] }`)}

${block('sh', 'curl -X DELETE http://127.0.0.1:8083/acquirer/faults')}

\`PUT\` replaces all faults, at most ${limits.acquirerFaultsMax}. A fault has a \`knob\` and, if the table shows one,
a \`value\`. It applies to every message with one of the \`types\` (of all types by default), to the \`next\`
ones, or to \`every\` k-th. The types are 0100 (PA), 0200 (DB, RB, CD, RF), 0220 (CP, offline sale), 0400 (RV), 0420
(reversal of a request without an answer) and 0800 (sign-on and echo). The type of a repeat ends with 1, such as 0421.

${table(
  ['`knob`', '`value`', 'effect'],
  Object.entries(knobs).map(([name, { effect, max, defaultValue }]) => [
    `\`${name}\``,
    max === 0 ? '' : `1 to ${max}${defaultValue === 0 ? '' : `; ${defaultValue} by default`}`,
    effect,
  ]),
)}

\`GET /acquirer/transactions\` lists the newest transactions, also by \`terminal\`, \`merchant\`, \`stan\`,
\`transmittedAt\`, \`rrn\` or \`networkId\`; \`GET /acquirer/totals\` lists the batches, and counts messages.
A batch has the transactions of one terminal, currency and business day, which field 15 of an answer states.
\`POST /acquirer/settle\` closes the batches, as a reconciliation (0500) in balance does. After that the host refuses
reversals (RV) of their transactions.`
}

function settlement(): string {
  return `**Settlement.** The host settles by business days, which end at midnight in UTC. This is the settlement file
of 20 November 2026, once the clock of the sandbox has passed the end of that day:

${block('sh', 'curl "http://127.0.0.1:8083/acquirer/settlement-files?date=2026-11-20&format=csv"')}

The answer is 404 before the end of the day by the clock, and the same bytes for the same request afterwards. The
\`format\` is ${codesOf(hostFileFormats)}. With \`merchant\` (field 42) the file has the rows of one merchant.

A transaction is a row with its amount after the reversals of that day. One that is reversed on a later day has a row in
the opposite direction in the file of that later day. \`ConnectorTxId1\` to \`ConnectorTxId3\` have the values of
\`resultDetails\`. Funds are settled on the next day in ${settlementCurrency}, with fees by brand. The fees for
messages, for the settlement and, on its last day, for the month are rows of their own.

The format camt omits \`ConnectorTxId2\`, which is too long for it. It states debits and chargebacks in
${settlementCurrency} as rows, the fees of a merchant as one, and refunds and payouts as bookings without details. The
files of all merchants and those of each merchant are of accounts of their own, whose statements follow each other.

With a \`fault\`, the file has a defect; that of a row is about the first settled row:

${table(
  ['`fault`', 'defect'],
  Object.entries(fileFaults).map(([name, { effect }]) => [`\`${name}\``, effect]),
)}

A chargeback of a posted debit, and its reversal, are in the file of the day on which they are booked. The
\`reference\` is the retrieval reference number, the original data or the network's id; without an \`amount\` all of
the debit is charged back. A chargeback costs ${(chargebackFeeMinor / 100).toFixed(2)} ${settlementCurrency}. The row
has the last day for a response (\`DueDate\`):

${block(
  'sh',
  `curl -X POST http://127.0.0.1:8083/acquirer/chargebacks \\
  -d '{ "reference": "632508000001", "amount": "60.00", "reason": "10.4" }'
curl -X POST http://127.0.0.1:8083/acquirer/chargeback-reversals -d '{ "reference": "632508000001" }'`,
)}`
}

/** The names of a table as a list of code. */
const codesOf = (names: Readonly<Record<string, unknown>>): string =>
  Object.keys(names)
    .map((name) => `\`${name}\``)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ')

const separateProcess = `**A process of its own.** The host that a gateway starts forgets everything when the gateway
ends. With a file, the host of a separate process remembers it:

${block('sh', 'tollgate simulate --acquirer-port 8084 --acquirer-file acquirer.journal')}

Start the gateway with \`TOLLGATE_SIMULATOR_URL=http://127.0.0.1:8083\` and
\`TOLLGATE_ACQUIRER_ADDRESS=127.0.0.1:8084\`. Several gateways on one database need such a host in common.

With \`--acquirer-settlement-folder\` the host writes the file of each business day into a folder, once after the end
of the day, in the format \`--acquirer-settlement-format\`. \`--acquirer-cut-off\` and \`--acquirer-time-zone\` are
the end of its business day, such as 18:00 in Europe/Berlin.

An SFTP server beside the host shows these files, and receives files as the server of a merchant does:

${block(
  'sh',
  `ssh-keygen -q -t ed25519 -N "" -f client-key
tollgate simulate --acquirer-port 8084 --sftp-port 8022 --sftp-folder sftp --sftp-keys client-key.pub`,
)}

It prints the fingerprint of its host key, which it keeps in the folder. The user \`settlement\` reads the settlement
files; the user \`records\` reads and writes files in a folder of their own. Both log in with the keys of
\`--sftp-keys\`. [Files by SFTP](sftp.md) shows how a gateway uses it.
With \`--acquirer-clearing-folder\` the host reads the [clearing files](settlement-files.md#the-clearing-file) that
arrive in a folder, and moves them to its folder \`read\`, or to \`refused\` if they have a fault. It also accepts
them as the body of \`POST /acquirer/clearing-files\`. Captures in a file are in the settlement file of the day on
which the file is read.

With \`--acquirer-cert\` and \`--acquirer-key\` (PEM) the port of the host requires TLS 1.2 or 1.3, and with
\`--acquirer-client-ca\` also a certificate of the client. \`TOLLGATE_ACQUIRER_ADDRESS\` is an address without TLS.
`

/** Entries sorted by key, because JavaScript puts keys such as 10 before keys such as 01. */
const sorted = (record: Readonly<Record<string, string>>): readonly (readonly [key: string, value: string])[] =>
  Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1))

function block(language: 'sh' | 'json', text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
