import { DAY_MS } from '@tollgate/contract'
import type { SettlementRow } from '@tollgate/domain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { businessDayAt } from './business-day.ts'
import { type Acquirer, type Installation, startInstallation } from './installation.ts'
import { readCsv } from './read-csv.ts'
import { accountOf, createRequests, type Requests } from './requests.ts'
import { fileOf, hostRows } from './settlement-files.ts'
import type { Transaction } from './transactions.ts'

// The reconciliation file of a merchant whose payments the test host has settled, charged back and returned.

/** The header of the specification (Reconciliation record). */
const header =
  'ReconciliationType;PaymentType;Cashflow;ClearingInstituteMerchantId;MerchantAccountId;MerchantAccountName;PspId;' +
  'DivisionId;MerchantId;SettlementTxId;UniqueID;ShortId;ConnectorTxId1;ConnectorTxId2;ConnectorTxId3;Amount;' +
  'Currency;Brand;TxRequestTime;SettlementAmount;SettlementCurrency;SettlementFee;SettlementFxRate;SettlementDate;' +
  'SettlementStatus;Descriptor;AccountNumberLast4;BankCode;AccountHolder;ReasonCode;ReasonDesc;SettlementFileFormat;' +
  'ClearingInsitituteName;MatchingStatus;MatchedTransactions;ChargebackId'

/** All kinds of records with a transaction. The fees for batches, months, submerchants and facilitators have none. */
const recordKinds = [
  'CHARGEBACK DEBIT NEG',
  'CHARGEBACK REVERSAL DEBIT POS',
  'FEE AUTH_FEE NEG',
  'FEE CANCEL_FEE NEG',
  'FEE CAPTURE_FEE NEG',
  'FEE REFUND_FEE NEG',
  'SETTLED CREDIT NEG',
  'SETTLED DEBIT POS',
  'SETTLED REFUND NEG',
]
const WITHOUT_TRANSACTION = new Set(['BATCH', 'MONTHLY', 'SUBMERCHANT', 'PAYMENT_FACILITATOR'])

let installation: Installation
let north: Acquirer
let requests: Requests
/** The transactions by their types. */
const made = new Map<string, Transaction>()

const merchantReferences = { merchantTransactionId: 'order-00001', merchantInvoiceId: 'invoice-00001' }

async function pay(type: string, amountMinor: number): Promise<Transaction> {
  const parameters = { ...accountOf(['VISA', '4200000000000000']), ...merchantReferences, descriptor: 'Shop; "north"' }
  const requested = { type, amountMinor, currency: 'EUR', merchant: 0, referenced: undefined } as const
  return approved(await requests.send('/v1/payments', parameters, requested))
}

async function follow(referenced: Transaction, type: string, amountMinor: number): Promise<Transaction> {
  const requested = { type, amountMinor, currency: 'EUR', merchant: 0, referenced } as const
  return approved(await requests.send(`/v1/payments/${referenced.id}`, merchantReferences, requested))
}

function approved({ transaction, code }: Awaited<ReturnType<Requests['send']>>): Transaction {
  expect([transaction.type, code]).toEqual([transaction.type, '000.100.112'])
  made.set(transaction.type, transaction)
  return transaction
}

async function disputeAtHost(stage: 'chargebacks' | 'chargeback-reversals', { reference }: Transaction): Promise<void> {
  const body = JSON.stringify({ reference, ...(stage === 'chargebacks' && { reason: '10.4' }) })
  const { status } = await fetch(`${north.url}/acquirer/${stage}`, { method: 'POST', body })
  expect(status).toBeLessThan(300)
}

/** Ends the business day, and receives its file. Acquirers of bank accounts also state bank code and holder. */
async function settleDay(): Promise<void> {
  const { tollgate, postAndClear, readAll } = installation
  const day = businessDayAt(north.cutOff, tollgate.gateway.clock.now())
  tollgate.clock.nowMs += DAY_MS
  await postAndClear()
  const rows = await hostRows(north, day)
  const written = rows.map((row): SettlementRow => ({ ...row, bankCode: '37040044', holder: 'Jane Jones' }))
  expect((await tollgate.manage('POST', '/settlement-files', fileOf(north, day, written))).status).toBe(201)
  await readAll()
}

beforeAll(async () => {
  installation = await startInstallation()
  const [first] = installation.acquirers
  if (!first) throw new Error('the installation has two acquirers')
  north = first
  requests = createRequests(installation)
  const hold = await pay('PA', 10_000)
  await follow(hold, 'CP', 6_000)
  const sale = await pay('DB', 9_200)
  await follow(sale, 'RF', 1_000)
  await follow(sale, 'RB', 2_000)
  await follow(await pay('DB', 4_000), 'RV', 4_000)
  await pay('CD', 3_000)
  const disputed = await pay('DB', 5_000)
  await settleDay()
  await disputeAtHost('chargebacks', disputed)
  await settleDay()
  await disputeAtHost('chargeback-reversals', disputed)
  await settleDay()
}, 600_000)
afterAll(() => installation.close())

/** The reconciliation file, with its header. */
async function readRecords(options = ''): Promise<readonly (readonly string[])[]> {
  const { tollgate, merchants } = installation
  const path = `/reconciliation-records/${merchants[0]?.id}?from=2026-01-01&to=2026-12-31${options}`
  return readCsv((await tollgate.manage('GET', path)).text)
}

const valueIn = (names: readonly string[], record: readonly string[], name: string): string =>
  record[names.indexOf(name)] ?? ''

test('the header is that of the specification', async () => {
  const [names = []] = await readRecords()
  expect(names.join(';')).toBe(header)
  const [withReferences = []] = await readRecords('&merchantReferences=true')
  expect(withReferences.join(';')).toBe(header.replace(';ShortId;', ';ShortId;TransactionId;InvoiceId;'))
})

test('each kind of record that has a transaction occurs, and is matched', async () => {
  const [names = [], ...records] = await readRecords()
  const kindOf = (record: readonly string[]) =>
    ['ReconciliationType', 'PaymentType', 'Cashflow'].map((name) => valueIn(names, record, name)).join(' ')
  const own = records.filter((record) => !WITHOUT_TRANSACTION.has(valueIn(names, record, 'PaymentType')))
  expect([...new Set(own.map(kindOf))].toSorted()).toEqual(recordKinds)
  expect(own.filter((record) => valueIn(names, record, 'MatchingStatus') !== 'MATCHED')).toEqual([])
})

test('each column has a value in some record', async () => {
  const [names = [], ...records] = await readRecords('&merchantReferences=true')
  expect(names.filter((name) => records.every((record) => valueIn(names, record, name) === ''))).toEqual([])
})

test('the records state the transactions and amounts of the payments', async () => {
  const [names = [], ...records] = await readRecords()
  const amounts = records
    .filter((record) => valueIn(names, record, 'ReconciliationType') === 'SETTLED')
    .map((record) => ['UniqueID', 'Amount', 'PaymentType'].map((name) => valueIn(names, record, name)).join(' '))
  for (const [type, amount, paymentType] of [
    ['CP', '60.00', 'DEBIT'],
    ['RB', '20.00', 'DEBIT'],
    ['DB', '50.00', 'DEBIT'],
    ['RF', '10.00', 'REFUND'],
    ['CD', '30.00', 'CREDIT'],
  ])
    expect(amounts).toContain(`${made.get(type ?? '')?.id} ${amount} ${paymentType}`)
  expect(amounts).toHaveLength(6)
})
