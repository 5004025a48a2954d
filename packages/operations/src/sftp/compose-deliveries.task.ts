import { dueDayOf, fileNameOf, localDayOf } from '@tollgate/domain'
import { type SftpAccountRow, type SftpDeliveryRow, StorageError } from '@tollgate/storage'
import { audit } from '../audit.ts'
import type { BackgroundTask } from '../background-task.ts'
import { commitChange } from '../commit-change.ts'
import { errorFields } from '../error-fields.ts'
import { limits } from '../limits.ts'
import { deliverySettingsOf } from './account-settings.ts'
import { type DeliveredContent, deliveredContents } from './delivered-contents.ts'
import { appended } from './file-content.ts'
import { transferJob } from './file-delivery.ts'
import { existingAccounts, isDeliveredPurpose } from './sftp-accounts.ts'
import type { SftpContext } from './sftp-context.ts'

/**
 * Makes the files that are delivered to SFTP servers: one for each account and day. The content of a file is stored
 * part by part; each part is one unit with the marks of its rows and the progress of its delivery, so that after a kill
 * another process continues after the last stored part. The last unit adds the job of the transfer.
 */
export function composeDeliveries(context: SftpContext): BackgroundTask {
  const { storage, log } = context
  /** The contents of deliveries that this process composes, by delivery. */
  const contents = new Map<string, DeliveredContent>()
  /** The deliveries that failed in this sweep. The next sweep tries them again. */
  const failed = new Set<string>()

  async function contentFor(delivery: SftpDeliveryRow): Promise<DeliveredContent> {
    const open = contents.get(delivery.id)
    if (open) return open
    const account = await storage.sftpAccount(delivery.account_id)
    if (!account || !isDeliveredPurpose(account.purpose))
      throw new Error(`delivery ${delivery.id} belongs to no account of deliveries`)
    const content = await deliveredContents[account.purpose](context, account, delivery)
    contents.set(delivery.id, content)
    return content
  }

  /** Adds a part to a delivery, or completes it. If another change interfered, nothing is stored. */
  async function compose(delivery: SftpDeliveryRow): Promise<void> {
    const content = await contentFor(delivery)
    const part = delivery.rows < limits.deliveredRowsMax ? await content.next(delivery) : 'end'
    if (part === 'none') return
    const text = `${delivery.parts === 0 ? content.header : ''}${part === 'end' ? '' : part.text}`
    const next = text === '' ? undefined : await appended(delivery, text, part === 'end' ? 0 : part.rows)
    const nowMs = context.clock.now()
    const job = part === 'end' ? transferJob(context, delivery) : undefined
    const to: SftpDeliveryRow = {
      ...(next?.delivery ?? delivery),
      state: job ? 'waiting' : 'composing',
      job_id: job?.id ?? null,
      changed_at_ms: nowMs,
    }
    const isStored = await commitChange(context, {
      compareAndSets: [{ table: 'sftp_delivery', from: delivery, to }, ...(part === 'end' ? [] : part.compareAndSets)],
      rows: { sftp_delivery_part: next ? [next.part] : [], job: job ? [job] : [] },
    })
    if (!job) return
    contents.delete(delivery.id)
    if (isStored) audit(log, 'report ready', { fileDelivery: to.id, day: to.day, rows: to.rows, bytes: to.size_bytes })
  }

  return {
    name: 'file deliveries',
    everyMs: limits.deliveriesEveryMs,
    pauseMs: limits.deliveriesPauseMs,
    async step() {
      const composing = await storage.sftpDeliveriesIn('composing', Number.MAX_SAFE_INTEGER, limits.deliveriesComposed)
      const deliveries = composing.filter(({ id }) => !failed.has(id))
      for (const delivery of deliveries) {
        try {
          await compose(delivery)
        } catch (error) {
          // The other deliveries go on.
          failed.add(delivery.id)
          contents.delete(delivery.id)
          log.error({ fileDelivery: delivery.id, ...errorFields(error) })
        }
      }
      if (deliveries.length > 0) return 'more'
      if (composing.length < limits.deliveriesComposed && (await beginDeliveries(context)) > 0) return 'more'
      failed.clear()
      return 'done'
    },
  }
}

/** Begins the deliveries that are due. @returns how many */
async function beginDeliveries(context: SftpContext): Promise<number> {
  let begun = 0
  for (const account of await existingAccounts(context.storage)) {
    const delivery = account.state === 'enabled' ? dueDelivery(context, account) : undefined
    if (!delivery || (await context.storage.sftpDelivery(delivery.id))) continue
    try {
      await commitChange(context, { rows: { sftp_delivery: [delivery] } })
      begun += 1
    } catch (error) {
      // Another process has begun it.
      if (!(error instanceof StorageError && error.kind === 'constraint')) throw error
    }
  }
  return begun
}

/** The delivery of the last day that is due; undefined: the account was created later. */
function dueDelivery({ clock }: SftpContext, account: SftpAccountRow): SftpDeliveryRow | undefined {
  if (!isDeliveredPurpose(account.purpose)) return undefined
  const { schedule, fileName } = deliverySettingsOf(account)
  const nowMs = clock.now()
  const day = dueDayOf(schedule, nowMs)
  if (day < localDayOf(schedule, account.created_at_ms)) return undefined
  return {
    id: `${account.id}-${day}`,
    account_id: account.id,
    day,
    file_name: fileNameOf(fileName, { entityId: account.entity_id ?? '', day }),
    state: 'composing',
    rows: 0,
    parts: 0,
    size_bytes: 0,
    job_id: null,
    created_at_ms: nowMs,
    changed_at_ms: nowMs,
    delivered_at_ms: null,
  }
}
