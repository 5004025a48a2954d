import { type CardDeclines, declinesExpireAtMs, type IssuerDecline, withDecline } from '@tollgate/domain'
import { isMerchantAdviceCode, type MerchantAdviceCode } from '@tollgate/contract'
import type { CardDeclinesRow, Storage } from '@tollgate/storage'
import { Type } from 'typebox'
import type { BackgroundTask } from '../background-task.ts'
import type { Clock } from '../clock.ts'
import { commitChange } from '../commit-change.ts'
import { createSingleFlight } from '../concurrency/single-flight.ts'
import { errorFields } from '../error-fields.ts'
import type { Ids } from '../ids.ts'
import { limits } from '../limits.ts'
import type { Log } from '../log.ts'
import { narrow } from '../narrow.ts'
import type { DeclinedCardIds, DeclinedCards } from '../ports/declined-cards.ts'
import { optional, storedReader } from '../records/stored-json.ts'
import { createHashFilter, type HashFilter } from './hash-filter.ts'

interface Parts {
  readonly storage: Pick<Storage, 'commit' | 'cardDeclines' | 'cardDeclinesAfter'>
  readonly clock: Clock
  readonly ids: Pick<Ids, 'ordered'>
  readonly log: Log
}

/** The declined cards, and the task by which a process follows the declines that other processes store. */
export interface FollowedDeclinedCards extends DeclinedCards {
  readonly follow: BackgroundTask
}

/**
 * Creates the store of declined cards. A filter in memory contains the ids of all rows, so that only cards that may
 * have a row are read. Until the rows have been read for the first time, every card is.
 */
export function createDeclinedCards(parts: Parts): FollowedDeclinedCards {
  const { storage, clock, log } = parts
  const followed = followRows(parts)
  const once = createSingleFlight<void>()
  /** Declines that wait for the write of their card's row, which stores all of them together. */
  const waiting = new Map<string, IssuerDecline[]>()

  async function rowOf(ids: DeclinedCardIds): Promise<CardDeclinesRow | undefined> {
    for (const id of ids) {
      const row = await storage.cardDeclines(id)
      if (row) return row
    }
    return undefined
  }

  async function write(ids: DeclinedCardIds, id: string, merchant: string): Promise<void> {
    const declines = waiting.get(id) ?? []
    waiting.delete(id)
    for (let tries = 0; tries < limits.cardDeclineTriesMax; tries += 1) {
      const stored = await rowOf(ids)
      const to = changedRow(stored, declines, { id, merchant, atMs: clock.now() })
      if (!to) return
      followed.add(id)
      // The row may be stored under the previous fingerprint key: then one under the current key follows it.
      const change =
        stored?.id === id
          ? { compareAndSets: [{ table: 'card_declines' as const, from: stored, to }] }
          : { rows: { card_declines: [to] } }
      if (await commitChange(parts, change)) return
    }
    log.error({ operation: 'store the decline of a card', error: 'other processes changed the row' })
  }

  return {
    follow: followed.task,
    async find(ids) {
      const row = await rowOf(ids.filter(followed.mayHaveRow))
      return row && readDeclines(row)
    },
    async add(ids, merchant, decline) {
      const [id] = ids
      if (id === undefined) return
      waiting.set(id, [...(waiting.get(id) ?? []), decline])
      try {
        await once(id, () => write(ids, id, merchant))
      } catch (error) {
        // A lost decline permits one attempt too many; the payment and its result are more important.
        log.error({ operation: 'store the decline of a card', ...errorFields(error) })
      }
    },
  }
}

/** The filter of the ids of all rows, and the task that reads the rows of other processes into it. */
function followRows({ storage, clock }: Parts) {
  let filter: HashFilter | undefined
  /** The filter into which all rows are read, until it replaces `filter`; undefined while only changes are read. */
  let rebuilt: HashFilter | undefined = createHashFilter(limits.declinedCardBits)
  let rebuiltAtMs = clock.now()
  let position = { atMs: 0, id: '' }

  function add(id: string): void {
    filter?.add(id)
    rebuilt?.add(id)
  }

  const task: BackgroundTask = {
    name: 'declined-cards',
    everyMs: limits.declinedCardsEveryMs,
    pauseMs: limits.retentionPauseMs,
    async step() {
      const page = await storage.cardDeclinesAfter(position.atMs, position.id, limits.declinedCardsPerRead)
      for (const { id } of page) add(id)
      const last = page.at(-1)
      if (last) position = { atMs: last.changed_at_ms, id: last.id }
      if (page.length === limits.declinedCardsPerRead) return 'more'
      if (rebuilt) filter = rebuilt
      rebuilt = undefined
      // A commit may become visible after one with a later time, and clocks of machines differ.
      position = { atMs: Math.max(0, position.atMs - limits.declinedCardsOverlapMs), id: '' }
      if (clock.now() - rebuiltAtMs >= limits.declinedCardsRebuildMs) beginRebuild()
      return 'done'
    },
  }

  /** A filter keeps the ids of removed rows. It is made anew from all rows, while the previous one stays in use. */
  function beginRebuild(): void {
    rebuilt = createHashFilter(limits.declinedCardBits)
    rebuiltAtMs = clock.now()
    position = { atMs: 0, id: '' }
  }

  return { task, add, mayHaveRow: (id: string): boolean => filter?.mayContain(id) ?? true }
}

const storedDeclines = storedReader(
  Type.Object({
    declinedAtMs: Type.Array(Type.Number()),
    advices: Type.Array(
      Type.Object({
        code: Type.String(),
        atMs: Type.Number(),
        expiry: optional(Type.String()),
        isAuthenticated: Type.Boolean(),
        isCvvWrong: Type.Boolean(),
      }),
    ),
  }),
)

function readDeclines({ declines }: CardDeclinesRow): CardDeclines {
  const { declinedAtMs, advices } = storedDeclines(declines)
  return {
    declinedAtMs,
    advices: advices.map(({ code, expiry, ...rest }) => ({ ...rest, expiry, code: adviceCode(code) })),
  }
}

const adviceCode = (code: string): MerchantAdviceCode => narrow(isMerchantAdviceCode, code)

/** The row of a card with further declines; undefined if they limit nothing. */
function changedRow(
  stored: CardDeclinesRow | undefined,
  declines: readonly IssuerDecline[],
  { id, merchant, atMs }: { readonly id: string; readonly merchant: string; readonly atMs: number },
): CardDeclinesRow | undefined {
  let changed: CardDeclines | undefined
  for (const decline of declines) changed = withDecline(changed ?? (stored && readDeclines(stored)), decline) ?? changed
  return (
    changed && {
      id,
      merchant,
      declines: JSON.stringify(changed),
      changed_at_ms: atMs,
      expires_at_ms: declinesExpireAtMs(changed),
    }
  )
}
