import { DAY_MS, HOUR_MS } from '@tollgate/contract'
import type { SettlementRow } from '@tollgate/domain'
import { otherMerchant, type TestGateway } from '@tollgate/gateway/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commitChange } from '../commit-change.ts'
import { sandboxIds } from '../directory/sandbox.ts'
import { limits } from '../limits.ts'
import { clearedGateway, routeToNorth } from '../testing/cleared-connector.ts'
import { payCleared, postAll, runToEnd, settlementFileOf, settlementRowOf } from '../testing/settlement-files.ts'
import { matchAgain } from './match-again.task.ts'
import { matchingVersion, nextVersion } from './matching-version.ts'
import { readFiles } from './read-files.task.ts'
import { receiveFile } from './receive-file.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await clearedGateway()
})
afterEach(() => tollgate.close())

const pay = () => payCleared(tollgate)
const post = () => postAll(tollgate)

/** Receives and reads a file with these rows. @returns its id */
async function read(rows: readonly Partial<SettlementRow>[]): Promise<string> {
  const chunks = [settlementFileOf(rows.map(settlementRowOf))]
  const received = await receiveFile(tollgate.gateway, { name: 'settlement.csv', arrivedBy: 'upload', chunks })
  if (!('file' in received)) throw new Error(`the file was refused: ${received.kind}`)
  await runToEnd(readFiles(tollgate.gateway))
  return received.file.id
}

const storedRows = (id: string) => tollgate.gateway.storage.settlementRowsAfter(id, 0, 9)
const rowsOf = async (id: string) => (await storedRows(id)).map((row) => [row.status, row.transaction_id, row.reason])

test('a payment that is posted after the file was read is found when open rows are matched again', async () => {
  const debit = await pay()
  const id = await read([{ connectorTxId1: debit.reference }])
  expect(await rowsOf(id)).toEqual([['NOT_MATCHED', null, 'noTransaction']])
  await post()
  const again = matchAgain(tollgate.gateway)
  tollgate.clock.nowMs += DAY_MS
  await runToEnd(again)
  expect(await rowsOf(id)).toEqual([['MATCHED', debit.id, 'acquirer reference']])
  await runToEnd(again)
  expect(await rowsOf(id)).toEqual([['MATCHED', debit.id, 'acquirer reference']])
})

test('a row takes no other transaction of its account while its own is not in the ledger yet', async () => {
  await pay()
  await post()
  const debit = await pay()
  tollgate.clock.nowMs += HOUR_MS
  const rows = [{ connectorTxId1: debit.reference, last4: '0000' }, { last4: '0000' }]
  const id = await read(rows)
  expect(await rowsOf(id)).toEqual([
    ['NOT_MATCHED', null, 'ledgerIncomplete'],
    ['NOT_MATCHED', null, 'ledgerIncomplete'],
  ])
  await post()
  await runToEnd(matchAgain(tollgate.gateway))
  const [first, second] = await rowsOf(id)
  expect(first).toEqual(['MATCHED', debit.id, 'acquirer reference'])
  expect(second?.[2]).toBe('account and day')
})

test('a row in a delivered file is delivered again when its record changes, but not with another reason', async () => {
  await pay()
  await post()
  const debit = await pay()
  tollgate.clock.nowMs += HOUR_MS
  const rows = [{ connectorTxId1: debit.reference, last4: '0000' }, { last4: '0001' }]
  const id = await read(rows)
  const compareAndSets = (await storedRows(id)).map((from) => {
    return { table: 'settlement_row' as const, from, to: { ...from, delivery_id: 'D1' } }
  })
  await commitChange(tollgate.gateway, { compareAndSets })
  await post()
  await runToEnd(matchAgain(tollgate.gateway))
  expect((await storedRows(id)).map((row) => [row.status, row.reason, row.delivery_id])).toEqual([
    ['MATCHED', 'acquirer reference', null],
    ['NOT_MATCHED', 'noTransaction', 'D1'],
  ])
})

test('the merchant of a fee whose transaction is posted later is found when rows are matched again', async () => {
  // Two merchants share an id at the institute.
  const { channel } = await otherMerchant(tollgate)
  routeToNorth(tollgate, channel)
  const debit = await pay()
  const fee = { kind: 'FEE', type: 'CAPTURE_FEE', cashflow: 'NEG', amountMinor: 4, settlementAmountMinor: 4 } as const
  const id = await read([{ ...fee, connectorTxId1: debit.reference }])
  const merchantOf = async () => (await tollgate.gateway.storage.settlementRow(id, 1))?.merchant
  expect(await merchantOf()).toBe('')
  await post()
  tollgate.clock.nowMs += DAY_MS
  await runToEnd(matchAgain(tollgate.gateway))
  expect(await merchantOf()).toBe(sandboxIds.merchant)
})

test.each([
  [limits.matchAttempts - 1, ['MATCHED', 'acquirer reference']],
  [limits.matchAttempts, ['NOT_MATCHED', 'noTransaction']],
])('after %i conflicts with matches of other rows, a row that is matched again is %o', async (times, expected) => {
  const debit = await pay()
  const id = await read([{ connectorTxId1: debit.reference }])
  await post()
  const { gateway } = tollgate
  const { settlementMatching } = gateway.storage
  let left = times
  Object.assign(gateway.storage, {
    async settlementMatching(key: string) {
      const version = await settlementMatching(key)
      if (left > 0) {
        left -= 1
        const { compareAndSets, rows } = nextVersion(await matchingVersion({ storage: { settlementMatching } }))
        expect(await commitChange(gateway, { compareAndSets, rows })).toBe(true)
      }
      return version
    },
  })
  await runToEnd(matchAgain(gateway))
  const [row] = await rowsOf(id)
  expect([row?.[0], row?.[2]]).toEqual(expected)
  Object.assign(gateway.storage, { settlementMatching })
})
