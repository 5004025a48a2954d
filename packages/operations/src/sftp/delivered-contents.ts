import { DAY_MS, recordHeader } from '@tollgate/contract'
import type { CompareAndSet, SftpAccountRow, SftpDeliveryRow } from '@tollgate/storage'
import { limits } from '../limits.ts'
import { settlementCsv } from '../reports/settlement-csv.ts'
import { recordPages } from '../settlement/record-lines.ts'
import { deliverySettingsOf } from './account-settings.ts'
import { type DeliveredPurpose, existingAccounts, merchantsOf } from './sftp-accounts.ts'
import type { SftpContext } from './sftp-context.ts'

/** A part of a file, and the changes that are stored with it. */
export interface ContentPart {
  readonly text: string
  readonly rows: number
  readonly compareAndSets: readonly CompareAndSet[]
}

/** The content of a file, in parts. */
export interface DeliveredContent {
  /** The begin of the file. */
  readonly header: string
  /**
   * The next part; 'none': a step without a part; 'end': there are no further parts now.
   *
   * @param delivery with the parts that are stored
   */
  readonly next: (delivery: SftpDeliveryRow) => Promise<ContentPart | 'none' | 'end'>
}

/** Opens the content of a file. After a restart it is opened again, and `next` continues after the stored parts. */
type OpenContent = (
  context: SftpContext,
  account: SftpAccountRow,
  delivery: SftpDeliveryRow,
) => Promise<DeliveredContent>

/** The contents by the purpose of their accounts. */
export const deliveredContents: Readonly<Record<DeliveredPurpose, OpenContent>> = {
  reconciliationRecord,
  settlementReport,
}

/**
 * The rows of the account's merchants that are in no file yet. A part marks its rows in the unit that stores its text,
 * so that each row is in one file, and the next part is that of the next rows without a mark.
 */
async function reconciliationRecord(
  context: SftpContext,
  account: SftpAccountRow,
  { id: deliveryId }: SftpDeliveryRow,
): Promise<DeliveredContent> {
  const { merchantReferences, merchantMemo = false } = deliverySettingsOf(account)
  const options = { merchantReferences, merchantMemo }
  const merchants = merchantsOf(context.directory, await existingAccounts(context.storage), account)
  const linesOf = recordPages(context, options)
  let place = 0

  return {
    header: recordHeader(options),
    async next() {
      for (let passed = 0; passed < limits.deliveredMerchantsPerStep; passed += 1) {
        const merchant = merchants[place]
        if (merchant === undefined) return 'end'
        const page = await context.storage.undeliveredRows(merchant, limits.deliveredRowsPerPart)
        if (page.length > 0)
          return {
            text: (await linesOf(page, merchant)).toString(),
            rows: page.length,
            compareAndSets: page.map((from) => ({
              table: 'settlement_row',
              from,
              to: { ...from, delivery_id: deliveryId },
            })),
          }
        place += 1
      }
      return 'none'
    },
  }
}

/**
 * The settlements of the account's merchants in the last weeks, as they are known when the file is made: a row that is
 * read or matched later changes those of the next file. The file is one part, so that a killed process has stored all
 * of it or nothing.
 */
async function settlementReport(
  context: SftpContext,
  account: SftpAccountRow,
  { day }: SftpDeliveryRow,
): Promise<DeliveredContent> {
  const merchants = merchantsOf(context.directory, await existingAccounts(context.storage), account)
  const from = new Date(Date.parse(day) - (limits.deliveredReportDays - 1) * DAY_MS).toISOString().slice(0, day.length)
  return {
    header: '',
    next: async ({ parts }) =>
      parts > 0 ? 'end' : { ...(await settlementCsv(context, merchants, { from, to: day })), compareAndSets: [] },
  }
}
