import type { SettlementRow } from '@tollgate/domain'
import { readSettlementFile } from '@tollgate/settlement-files'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { externalPayment } from '../support/external-load.ts'
import { type Body, bodyOf } from '../support/http.ts'
import { manage } from '../support/manage.ts'
import { type Form, followUpForm, post } from '../support/payments.ts'
import { cleanUp, type GatewayProcess, portIn, startGateway, temporaryFolder } from '../support/process.ts'
import { untilConnected } from '../support/settled.ts'

// Payments with `testMode=EXTERNAL`, and the settlement file of the acquirer's test host for their day.

let gateway: GatewayProcess
let hostUrl = ''

beforeAll(async () => {
  gateway = await startGateway({ data: temporaryFolder() })
  hostUrl = `http://127.0.0.1:${portIn(gateway.stdout(), 'banks and wallets')}`
  await untilConnected(gateway)
})

afterAll(cleanUp)

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

/** The rows of the files of two days, because the payments may have been made around midnight. */
async function settledRows(firstDay: string): Promise<readonly SettlementRow[]> {
  const nextDay = new Date(Date.parse(firstDay) + 86_400_000).toISOString().slice(0, 10)
  const rows: SettlementRow[] = []
  for (const day of [firstDay, nextDay]) {
    const response = await fetch(`${hostUrl}/acquirer/settlement-files?date=${day}`)
    expect(response.status).toBe(200)
    const file = Buffer.from(await response.arrayBuffer())
    for await (const entry of readSettlementFile('tollgate-csv', [file])) {
      if (entry.kind === 'row') rows.push(entry.row)
      else if (entry.kind === 'fault') throw new Error(`${entry.field}: ${entry.reason}`)
    }
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

  const rows = await settledRows(day)
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
