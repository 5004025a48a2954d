import * as fc from 'fast-check'
import { fewValues, id, rowsOf, sumsOf, text } from './random-values.ts'
import {
  clearingBatch,
  feePlan,
  ledgerDay,
  posting,
  settlementContent,
  settlementFile,
  settlementMatching,
  settlementRow,
  sftpKey,
  pulledFile,
  sftpAccount,
  sftpDelivery,
  sftpDeliveryPart,
  transactionDay,
} from './sample-rows.ts'

/** Compare-and-sets of rows of ledger, clearing, settlement and their files. */
export const moneyCompareAndSets = fc.oneof(
  fc.tuple(id, fc.nat(1), fc.nat(1)).map(([rowId, from, to]) => ({
    table: 'settlement_file' as const,
    from: settlementFile(rowId, { created_at_ms: from, institute: 'i', file_id: 'x1' }),
    to: settlementFile(rowId, { created_at_ms: to, institute: 'i', file_id: 'x1' }),
  })),
  fc.nat(1).map((number) => ({
    table: 'settlement_content' as const,
    from: settlementContent(number),
    to: null,
  })),
  fc.tuple(id, fc.nat(2), fc.option(id)).map(([file, number, transactionId]) => {
    const from = settlementRow(number, {
      file_id: file,
      transaction_id: null,
      settled_on: `d${number}`,
      presented_at_ms: number % 2,
    })
    return { table: 'settlement_row' as const, from, to: { ...from, transaction_id: transactionId } }
  }),
  fc.tuple(id, fc.nat(1), fc.nat(1)).map(([rowId, from, to]) => ({
    table: 'settlement_matching' as const,
    from: settlementMatching(rowId, from),
    to: settlementMatching(rowId, to),
  })),
  fc.tuple(id, fc.nat(1), fc.option(fc.nat(1))).map(([rowId, from, to]) => ({
    table: 'sftp_key' as const,
    from: sftpKey(rowId, { last_used_at_ms: from }),
    to: to === null ? null : sftpKey(rowId, { last_used_at_ms: to }),
  })),
  fc.tuple(id, fc.nat(2)).map(([file, number]) => ({
    table: 'settlement_row' as const,
    from: settlementRow(number, { file_id: file, transaction_id: null, settled_on: `d${number}` }),
    to: settlementRow(number, {
      file_id: file,
      transaction_id: null,
      settled_on: `d${number}`,
      delivery_id: 'd1',
    }),
  })),
  fc.tuple(id, fc.constantFrom('composing', 'waiting'), fc.nat(1)).map(([rowId, state, atMs]) => ({
    table: 'sftp_delivery' as const,
    from: sftpDelivery(rowId, { changed_at_ms: 0 }),
    to: sftpDelivery(rowId, { state, changed_at_ms: atMs }),
  })),
  fc.nat(2).map((number) => ({
    table: 'sftp_delivery_part' as const,
    from: sftpDeliveryPart(number),
    to: null,
  })),
  fc.tuple(id, fewValues, fewValues).map(([rowId, from, to]) => ({
    table: 'sftp_account' as const,
    from: sftpAccount(rowId, { sealed: from }),
    to: sftpAccount(rowId, { sealed: to }),
  })),
  fc.tuple(fc.nat(1), fc.nat(1), fc.nat(1)).map(([day, from, to]) => ({
    table: 'clearing_batch' as const,
    from: clearingBatch(day, { attempts: from }),
    to: clearingBatch(day, { attempts: to }),
  })),
)

/** Rows of ledger, clearing, settlement and their files. */
export const moneyRows = {
  posting: rowsOf(
    fc
      .tuple(id, fc.constantFrom('capture', 'refund'), fc.nat(1))
      .map(([rowId, kind, amount]) => posting(rowId, { kind, amount_minor: amount, day: amount })),
  ),
  ledger_day: sumsOf((day, amount) => ledgerDay({ day, amount_minor: amount })),
  transaction_day: sumsOf((day, amount) => transactionDay({ day, amount_minor: amount })),
  settlement_file: rowsOf(
    fc
      .tuple(id, fc.constantFrom('received', 'read', 'quarantined'), fc.nat(1), fc.constantFrom(null, 'a', 'b', 'c'))
      .map(([rowId, state, atMs, statement]) =>
        settlementFile(rowId, { state, created_at_ms: atMs, institute: 'i', file_id: 'x1', statement }),
      ),
  ),
  settlement_content: rowsOf(fc.nat(1).map((number) => settlementContent(number))),
  settlement_row: rowsOf(
    fc
      .tuple(
        id,
        fc.nat(2),
        fc.constantFrom('MATCHED', 'NOT_MATCHED'),
        fc.option(id),
        fc.constantFrom('CHARGEBACK', 'CHARGEBACK REVERSAL'),
      )
      .map(([file, number, status, transactionId, kind]) =>
        settlementRow(number, {
          file_id: file,
          status,
          kind: number === 1 ? kind : 'SETTLED',
          transaction_id: transactionId,
          settled_on: `d${number}`,
          booking: transactionId,
          presented_at_ms: number % 2,
        }),
      ),
  ),
  settlement_matching: rowsOf(fc.tuple(id, fc.nat(1)).map(([rowId, changes]) => settlementMatching(rowId, changes))),
  clearing_batch: rowsOf(fc.tuple(fc.nat(1), fc.nat(1)).map(([day, attempts]) => clearingBatch(day, { attempts }))),
  sftp_key: rowsOf(fc.tuple(id, fc.nat(1)).map(([rowId, atMs]) => sftpKey(rowId, { last_used_at_ms: atMs }))),
  sftp_account: rowsOf(fc.tuple(id, fewValues).map(([rowId, sealed]) => sftpAccount(rowId, { sealed }))),
  sftp_delivery: rowsOf(fc.tuple(id, fc.nat(1)).map(([rowId, atMs]) => sftpDelivery(rowId, { changed_at_ms: atMs }))),
  sftp_delivery_part: rowsOf(fc.nat(2).map((number) => sftpDeliveryPart(number))),
  pulled_file: rowsOf(
    fc.tuple(id, fc.constantFrom('received', 'empty')).map(([name, outcome]) => pulledFile(name, { outcome })),
  ),
  fee_plan: rowsOf(
    fc.tuple(id, fc.nat(2), fc.option(text)).map(([rowId, atMs, plan]) => feePlan(rowId, { starts_at_ms: atMs, plan })),
  ),
}
