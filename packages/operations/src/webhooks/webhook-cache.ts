import { InvariantError } from '@tollgate/contract'
import { type Breaker, closedBreaker } from '@tollgate/domain'
import type { Storage, WebhookKeyRow, WebhookRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Directory } from '../directory/channel.ts'
import { createTableCache } from '../table-cache.ts'
import type { Ids } from '../ids.ts'
import { limits } from '../limits.ts'
import { createKeyedMutex } from '../concurrency/keyed-mutex.ts'
import { type Webhook, webhookOf, webhookRow } from './webhook.ts'

/** A change of a webhook and its keys. */
export interface WebhookChange {
  readonly webhook?: Webhook
  /** Keys that are added, or that replace keys with the same ids. */
  readonly keys?: readonly WebhookKeyRow[]
  /** Keys that are erased. */
  readonly removed?: readonly WebhookKeyRow[]
}

/** In-memory cache of webhooks and their keys: every payment looks up its subscribers, and webhooks rarely change. */
export interface Webhooks {
  /** All webhooks in the order of their creation, without deleted ones. */
  all(): readonly Webhook[]
  get(id: string): Webhook | undefined
  /** The queues of all webhooks, including deleted ones, whose waiting deliveries must be dead-lettered. */
  queues(): Iterable<string>
  /**
   * The ids of the active webhooks that are subscribed to a type of event on a channel: those of the channel and of the
   * entities above.
   */
  webhookIdsFor(channelId: string, type: string): readonly string[]
  /** The keys of a webhook, oldest first. */
  keysOf(id: string): readonly WebhookKeyRow[]
  /**
   * Changes a webhook. Changes of one webhook are serialised; each is durable before it takes effect.
   *
   * @param decide takes the current webhook, or undefined if there is none or it was deleted, and returns the change.
   *   It is called again if another process has changed the webhook in the meantime
   */
  change(id: string, decide: (webhook: Webhook | undefined) => WebhookChange | Promise<WebhookChange>): Promise<void>
  /** Reloads the cache after a change by another process. */
  reload(): Promise<void>
  breakerOf(id: string): Breaker
  setBreaker(id: string, breaker: Breaker): void
}

interface Dependencies {
  readonly storage: Storage
  readonly ids: Ids
  readonly directory: Pick<Directory, 'reaches'>
}

/** Reads the webhooks into the cache. `reload` reads them again; changes of this process are made by `change`. */
export async function openWebhooks({ storage, ids, directory }: Dependencies): Promise<Webhooks> {
  const webhooks = new Map<string, Webhook>()
  /** The rows of the webhooks as stored. */
  const stored = new Map<string, WebhookRow>()
  const keys = new Map<string, readonly WebhookKeyRow[]>()
  const breakers = new Map<string, Breaker>()
  /** Subscribers by channel and type, computed since the last change. */
  const subscribers = new Map<string, readonly string[]>()
  const withLock = createKeyedMutex()

  const keysOf = (id: string) => keys.get(id) ?? []
  const findExisting = (id: string) => {
    const webhook = webhooks.get(id)
    return webhook?.deleted_at_ms === null ? webhook : undefined
  }
  const all = () => [...webhooks.values()].filter((webhook) => webhook.deleted_at_ms === null)
  const putKey = (row: WebhookKeyRow) => {
    const otherKeys = keysOf(row.webhook_id).filter(({ id }) => id !== row.id)
    keys.set(
      row.webhook_id,
      [...otherKeys, row].toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    )
  }
  const put = (row: WebhookRow) => {
    webhooks.set(row.id, webhookOf(row))
    stored.set(row.id, row)
  }
  const putChange = ({ webhook, keys: added = [], removed = [] }: WebhookChange) => {
    invalidateReads()
    if (webhook) put(webhookRow(webhook))
    for (const row of added) putKey(row)
    for (const { id, webhook_id } of removed) {
      keys.set(
        webhook_id,
        keysOf(webhook_id).filter((key) => key.id !== id),
      )
    }
    subscribers.clear()
  }

  const { reload, invalidateReads } = createTableCache(
    () => Promise.all([storage.webhooks(), storage.webhookKeys()]),
    ([rows, keyRows]) => {
      for (const row of rows) put(row)
      keys.clear()
      for (const row of keyRows) putKey(row)
      subscribers.clear()
    },
  )
  await reload()

  /** @returns false if nothing was written, because the stored webhook or a removed key differs from the cache */
  async function commit(id: string, change: WebhookChange): Promise<boolean> {
    const { webhook, keys: addedKeys, removed = [] } = change
    const from = findExisting(id) && stored.get(id)
    const to = webhook && webhookRow(webhook)
    // A change of keys requires that the webhook is unchanged, because another process may have deleted the webhook.
    const webhookCompareAndSet = from ? [{ table: 'webhook' as const, from, to: to ?? from }] : []
    const compareAndSets = [
      ...webhookCompareAndSet,
      ...removed.map((key) => ({ table: 'webhook_key' as const, from: key, to: null })),
    ]
    const rows = { webhook: from ? undefined : to && [to], webhook_key: addedKeys }
    const erases = removed.length > 0
    const isCommitted = await commitChange({ storage, ids }, { compareAndSets, rows, erases })
    if (isCommitted) putChange(change)
    return isCommitted
  }

  return {
    all,
    get: findExisting,
    queues: () => webhooks.keys(),
    webhookIdsFor(channelId, type) {
      if (webhooks.size === 0) return NONE
      const key = `${channelId}|${type}`
      const cached = subscribers.get(key)
      if (cached) return cached
      const webhookIds = all()
        .filter(({ state, settings }) => state === 'active' && settings.types.includes(type))
        .filter(({ entity_id: entityId }) => directory.reaches(entityId, channelId))
        .map(({ id }) => id)
      subscribers.set(key, webhookIds)
      return webhookIds
    },
    keysOf,
    change: (id, decide) =>
      withLock(id, async () => {
        for (let tries = 0; tries < limits.webhookChangeTriesMax; tries += 1) {
          const change = await decide(findExisting(id))
          if (isEmpty(change) || (await commit(id, change))) return
          // Another process has changed the webhook in the meantime.
          await reload()
        }
        throw new InvariantError('webhook was modified concurrently during every retry', id)
      }),
    reload,
    breakerOf: (id) => breakers.get(id) ?? closedBreaker,
    setBreaker: (id, breaker) => void breakers.set(id, breaker),
  }
}

const isEmpty = ({ webhook, keys = [], removed = [] }: WebhookChange): boolean =>
  !webhook && keys.length === 0 && removed.length === 0

const NONE: readonly string[] = []
