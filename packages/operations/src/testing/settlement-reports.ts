import type { SettlementRow } from '@tollgate/domain'
import type { Parameters, TestGateway } from '@tollgate/gateway/testing'
import { readFiles } from '../settlement/read-files.task.ts'
import { receiveFile } from '../settlement/receive-file.ts'
import {
  type ClearedPayment,
  payCleared,
  postAll,
  runToEnd,
  settlementFileOf,
  settlementRowOf,
} from './settlement-files.ts'

/** The paths of reports: answers that continue at a place, and pages of a snapshot. */
export const V1 = '/reports/v1/reconciliations/aggregations'
export const V2 = '/reports/v2/reconciliations/aggregations'

/** The period of the settlements in tests of reports. */
export const june: Parameters = { 'date.from': '2026-06-01', 'date.to': '2026-06-30' }

/** A settlement in an answer. */
export interface Aggregated {
  readonly id: string
  readonly settlement: { readonly date: string; readonly id: string }
  readonly records: string
  readonly net: string
}

/** A record in an answer. */
export interface Recorded {
  readonly presentmentDate: string
  readonly payment?: { readonly id: string }
  readonly recordType: string
  readonly settlement: Readonly<Record<'cashflow' | 'amount' | 'fee' | 'status' | 'id', string>>
}

/** Settles payments of a gateway with the connector `north`, and reads its reports. */
export function settlementReports(tollgate: TestGateway) {
  const get = (path: string, parameters: Parameters = {}, headers: Parameters = {}) =>
    tollgate.send('GET', path, parameters, headers)
  let files = 0
  /** Reads a settlement file with these rows. @returns its id */
  async function settle(rows: readonly SettlementRow[]): Promise<string> {
    const content = settlementFileOf(rows, { fileId: `F${(files += 1)}` })
    const received = await receiveFile(tollgate.gateway, { name: 'f.csv', arrivedBy: 'upload', chunks: [content] })
    await runToEnd(readFiles(tollgate.gateway))
    if (!('file' in received)) throw new Error(received.kind)
    return received.file.id
  }
  return {
    get,
    settle,
    /** Pays a debit of 92.00 EUR for each change, and settles it with the change of its row. */
    async settled(...changes: readonly Partial<SettlementRow>[]) {
      const payments: ClearedPayment[] = []
      while (payments.length < changes.length) payments.push(await payCleared(tollgate))
      await postAll(tollgate)
      const rows = changes.map((change, index) =>
        settlementRowOf({ connectorTxId1: payments[index]?.reference, ...change }),
      )
      return { payments, file: await settle(rows) }
    },
    /** The id of the first settlement of June. */
    aggregationId: async (): Promise<string> => (await get(V1, june)).body.aggregations[0].id,
  }
}
