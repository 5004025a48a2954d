import { all, byId, one } from './declare-read.ts'
import { compareCodeUnits } from './memory/compare-code-units.ts'
import { select } from './memory/select.ts'
import type { SettlementRowRow } from './schema.ts'

/** The reads of SFTP accounts, deliveries and pulled files. */
export const sftpReads = {
  sftpAccount: byId('sftp_account'),
  /** All SFTP accounts, including deleted ones. */
  sftpAccounts: all('sftp_account', 'ORDER BY id', (disk) => select(disk.sftp_account)),
  sftpDelivery: byId('sftp_delivery'),
  /** Deliveries in a state that were last changed before a time (epoch milliseconds), at most `max`: the oldest. */
  sftpDeliveriesIn: all(
    'sftp_delivery',
    'WHERE state = ? AND changed_at_ms < ? ORDER BY changed_at_ms, id LIMIT ?',
    (disk, state: string, beforeMs: number, max: number) =>
      select(disk.sftp_delivery, (row) => row.state === state && row.changed_at_ms < beforeMs, 'changed_at_ms').slice(
        0,
        max,
      ),
  ),
  /** Deliveries to an account with ids before an id, at most `max`: those of the newest days. */
  sftpDeliveriesBefore: all(
    'sftp_delivery',
    'WHERE account_id = ? AND id < ? ORDER BY id DESC LIMIT ?',
    (disk, accountId: string, id: string, max: number) =>
      select(disk.sftp_delivery, (row) => row.account_id === accountId && row.id < id)
        .toReversed()
        .slice(0, max),
  ),
  sftpDeliveryPart: one('sftp_delivery_part', 'WHERE delivery_id = ? AND number = ?', (disk, id: string, n: number) =>
    disk.sftp_delivery_part.get(`${id} ${n}`),
  ),
  /** The last part of a delivery that starts at or before a place in its file. */
  sftpDeliveryPartAt: one(
    'sftp_delivery_part',
    'WHERE delivery_id = ? AND start_bytes <= ? ORDER BY number DESC LIMIT 1',
    (disk, id: string, place: number) =>
      select(disk.sftp_delivery_part, (row) => row.delivery_id === id && row.start_bytes <= place, 'number').at(-1),
  ),
  pulledFile: one('pulled_file', 'WHERE account_id = ? AND name = ?', (disk, accountId: string, name: string) =>
    select(disk.pulled_file, (row) => row.account_id === accountId && row.name === name).at(0),
  ),
  /** The pulled files of an account with names after a name, at most `max`. */
  pulledFilesAfter: all(
    'pulled_file',
    'WHERE account_id = ? AND name > ? ORDER BY name LIMIT ?',
    (disk, accountId: string, name: string, max: number) =>
      select(disk.pulled_file, (row) => row.account_id === accountId && row.name > name)
        .toSorted((a, b) => compareCodeUnits(a.name, b.name))
        .slice(0, max),
  ),
  /**
   * Rows of a merchant that are in no delivered file, at most `max`: the first ones to be settled. A matched
   * chargeback waits until it is recorded.
   */
  undeliveredRows: all(
    'settlement_row',
    `WHERE merchant = ? AND delivery_id IS NULL
      AND (chargeback_id IS NOT NULL OR kind NOT LIKE 'CHARGEBACK%' OR status <> 'MATCHED')
      ORDER BY settled_on, file_id, number LIMIT ?`,
    (disk, merchant: string, max: number) =>
      select(disk.settlement_row, (row) => row.merchant === merchant && isDeliverable(row))
        .toSorted(
          (a, b) =>
            compareCodeUnits(a.settled_on, b.settled_on) ||
            compareCodeUnits(a.file_id, b.file_id) ||
            a.number - b.number,
        )
        .slice(0, max),
  ),
}

const isDeliverable = (row: SettlementRowRow): boolean =>
  row.delivery_id === null &&
  (row.chargeback_id !== null || !row.kind.startsWith('CHARGEBACK') || row.status !== 'MATCHED')
