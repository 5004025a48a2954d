import type { SettlementRow } from '@tollgate/domain'
import { readSettlementFile } from '@tollgate/settlement-files'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { externalPayment } from '../support/external-load.ts'
import { type Body, bodyOf } from '../support/http.ts'
import { manage } from '../support/manage.ts'
import { type Form, followUpForm, post } from '../support/payments.ts'
import { cleanUp, type GatewayProcess, portIn, startGateway, temporaryFolder } from '../support/process.ts'
import { untilConnected } from '../support/settled.ts'

// Payments with `testMode=EXTERNAL`, and the settlement file of the acquirer's test host for their day.

let gateway: GatewayProcess
let hostUrl = ''

beforeEach(async () => {
  gateway = await startGateway({ data: temporaryFolder() })
  hostUrl = `http://127.0.0.1:${portIn(gateway.stdout(), 'banks and wallets')}`
  await untilConnected(gateway)
})

afterEach(cleanUp)

const send = async (path: string, form: Form): Promise<Body> => bodyOf(await gateway.client.send(post(path, form)))

const pay = (changes: Form = {}): Promise<Body> => send('/v1/payments', externalPayment(changes))

const followUp = ({ id }: Body, type: string, amount: string): Promise<Body> =>
  send(`/v1/payments/${id}`, followUpForm(type, { amount }))

/** The references in an answer, as a row of a settlement file has them. */
function referencesOf(body: Body) {
  const details: Readonly<Record<string, string>> = Object(body['resultDetails'])
  return {
    connectorTxId1: details['ConnectorTxID1'],
    connectorTxId2: details['ConnectorTxID2'],
    connectorTxId3: details['ConnectorTxID3'],
    networkTransactionId: details['CardholderInitiatedTransactionID'],
  }
}

/** A fee and the first reference of its payment. */
const feeOf =
  (fee: string) =>
  (body: Body): string =>
    `${fee} ${referencesOf(body).connectorTxId1}`

/** The files of two days, because the payments may have been made around midnight. */
async function settlementFiles(firstDay: string): Promise<readonly Buffer[]> {
  const nextDay = new Date(Date.parse(firstDay) + 86_400_000).toISOString().slice(0, 10)
  const files: Buffer[] = []
  for (const day of [firstDay, nextDay]) {
    const response = await fetch(`${hostUrl}/acquirer/settlement-files?date=${day}`)
    expect(response.status).toBe(200)
    files.push(Buffer.from(await response.arrayBuffer()))
  }
  return files
}

async function rowsIn(files: readonly Buffer[]): Promise<readonly SettlementRow[]> {
  const rows: SettlementRow[] = []
  for (const file of files) {
    for await (const entries of readSettlementFile('tollgate-csv', [file]))
      for (const entry of entries)
        if (entry.kind === 'row') rows.push(entry.row)
        else if (entry.kind === 'fault') throw new Error(`${entry.field}: ${entry.reason}`)
  }
  return rows
}

test('each posted transaction has a row with the references of its answer', async () => {
  const hold = await pay({ paymentType: 'PA' })
  const captures = [await followUp(hold, 'CP', '50.00'), await followUp(hold, 'CP', '42.00')]
  const [sale, reversed] = [await pay(), await pay()]
  const refund = await followUp(sale, 'RF', '30.00')
  await followUp(reversed, 'RV', '92.00')
  const day = String(hold['timestamp']).slice(0, 10)
  await manage(gateway, 'POST', '/clock', { advance: 'P2D' })

  const rows = await rowsIn(await settlementFiles(day))
  const settled = rows.filter(({ kind }) => kind === 'SETTLED')
  expect(settled).toMatchObject([
    { type: 'DEBIT', cashflow: 'POS', amountMinor: 5000, clearingSequence: 1, ...referencesOf(captures[0] ?? hold) },
    { type: 'DEBIT', cashflow: 'POS', amountMinor: 4200, clearingSequence: 2, ...referencesOf(captures[1] ?? hold) },
    { type: 'DEBIT', cashflow: 'POS', amountMinor: 9200, clearingSequence: 1, ...referencesOf(sale) },
    { type: 'REFUND', cashflow: 'NEG', amountMinor: 3000, ...referencesOf(refund) },
  ])
  expect(settled.filter(({ connectorTxId2 = '' }) => connectorTxId2.length === 42)).toHaveLength(4)
  const fees = rows.filter(({ kind, type }) => kind === 'FEE' && type !== 'BATCH' && type !== 'MONTHLY')
  expect(fees.map(({ type, connectorTxId1 }) => `${type} ${connectorTxId1}`).toSorted()).toEqual(
    [
      ...[hold, sale, reversed].map(feeOf('AUTH_FEE')),
      ...captures.map(feeOf('CAPTURE_FEE')),
      feeOf('CANCEL_FEE')(reversed),
      feeOf('REFUND_FEE')(refund),
    ].toSorted(),
  )
})

/** Uploads a settlement file and waits until its rows are stored. */
async function upload(file: Buffer): Promise<void> {
  const { id } = await manage<{ id: string }>(gateway, 'POST', '/settlement-files', file)
  const state = async () => (await manage<{ state: string }>(gateway, 'GET', `/settlement-files/${id}`)).state
  await expect.poll(state, { timeout: 30_000 }).toBe('read')
}

interface Balances {
  readonly completeTo: string
  readonly balances: readonly Readonly<Record<'account' | 'currency' | 'acquirer' | 'debitsLessCredits', string>>[]
}

/** The balance of an account of the acquirer in a currency, in hundredths; 0 if the account was never moved. */
async function balance(account: string, currency: string): Promise<number> {
  const { balances } = await manage<Balances>(gateway, 'GET', '/ledger/balances')
  const own = balances.filter((each) => each.account === account && each.currency === currency)
  return own.reduce((sum, { debitsLessCredits }) => sum + Math.round(Number(debitsLessCredits) * 100), 0)
}

/** What the bank receives for rows in a currency, and the fees, in minor units. */
function sumsOf(rows: readonly SettlementRow[], currency: string) {
  let [net, fees] = [0, 0]
  for (const { kind, cashflow, settlementAmountMinor, settlementCurrency, feeMinor = 0 } of rows) {
    if (settlementCurrency !== currency) continue
    net += (cashflow === 'POS' ? settlementAmountMinor : -settlementAmountMinor) - feeMinor
    fees += kind === 'FEE' ? settlementAmountMinor + feeMinor : feeMinor
  }
  return { net, fees }
}

test('after everything is settled, the acquirer owes nothing, and the bank has what the files state', async () => {
  const hold = await pay({ paymentType: 'PA' })
  await followUp(hold, 'CP', '50.00')
  const [sale, reversed, other] = [await pay(), await pay(), await pay({ currency: 'USD', amount: '80.00' })]
  await followUp(sale, 'RF', '30.00')
  await followUp(reversed, 'RV', '92.00')
  await followUp(other, 'RF', '15.00')
  const day = String(hold['timestamp']).slice(0, 10)
  await manage(gateway, 'POST', '/clock', { advance: 'P2D' })
  const completeTo = async () => (await manage<Balances>(gateway, 'GET', '/ledger/balances')).completeTo.slice(0, 10)
  await expect.poll(completeTo, { timeout: 30_000 }).not.toBe(day)

  const files = await settlementFiles(day)
  for (const file of files) await upload(file)
  const rows = await rowsIn(files)
  expect(sumsOf(rows, 'EUR').net).toBeGreaterThan(0)
  for (const currency of ['EUR', 'USD']) {
    const { net, fees } = sumsOf(rows, currency)
    expect([currency, await balance('bank', currency)]).toEqual([currency, net])
    expect([currency, await balance('acquirerFee', currency)]).toEqual([currency, fees])
    for (const account of ['acquirerReceivable', 'refundTransit', 'suspenseUnmatched'])
      expect([account, currency, await balance(account, currency)]).toEqual([account, currency, 0])
  }
})
