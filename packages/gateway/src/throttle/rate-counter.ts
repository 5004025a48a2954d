import { randomUUID } from 'node:crypto'
import type { Peers } from '@tollgate/storage'
import type { Clock } from '@tollgate/operations'
import { limits } from '../limits.ts'
import type { Throttle } from './throttle.ts'

/** What each throttle counts here and in other processes, so that together they let in what one alone would. */
export interface RateCounters {
  /** A throttle whose counts are shared; all processes name it alike. */
  share(name: string, throttle: Throttle): Throttle
  /** What was let in since the last time, to be told to the others. */
  messages(): readonly string[]
  /** Counts what another process has told. */
  count(message: string): void
}

/** How many requests of which key of which throttle. */
type Count = readonly [throttle: string, key: string, requests: number]

/** @param isShared whether there can be other processes: where there are none nothing is gathered */
export function createRateCounters(clock: Clock, isShared: boolean): RateCounters {
  const here = randomUUID()
  const throttles = new Map<string, Throttle>()
  /** What was let in here and not told yet, by throttle and key. */
  const unpublished = new Map<string, Map<string, number>>()

  return {
    share(name, throttle) {
      if (!isShared) return throttle
      throttles.set(name, throttle)
      const counts = new Map<string, number>()
      unpublished.set(name, counts)
      return {
        note: (key, requests, nowMs) => throttle.note(key, requests, nowMs),
        wait: (key, places, nowMs) => throttle.wait(key, places, nowMs),
        take(key, places, nowMs) {
          const waitMs = throttle.take(key, places, nowMs)
          if (waitMs === 0) counts.set(key, (counts.get(key) ?? 0) + 1)
          return waitMs
        },
      }
    },
    messages() {
      const all = [...unpublished].flatMap(([name, counts]) =>
        [...counts].map(([key, requests]): Count => [name, key, requests]),
      )
      for (const counts of unpublished.values()) counts.clear()
      const pages = Math.ceil(all.length / limits.rateCountersPerMessage)
      return Array.from({ length: pages }, (_, page) =>
        JSON.stringify([
          here,
          ...all.slice(page * limits.rateCountersPerMessage, (page + 1) * limits.rateCountersPerMessage),
        ]),
      )
    },
    count(message) {
      const [from, ...counts] = itemsOf(message)
      if (from === here) return
      for (const count of counts) {
        // Another version of the program may count something else.
        if (isCount(count)) throttles.get(count[0])?.note(count[1], count[2], clock.now())
      }
    },
  }
}

/** Publishes counts to the peers every `limits.rateCountersMs`, until stopped. A failed message is not sent again. */
export function publishCounts(
  rateCounters: RateCounters,
  peers: Pick<Peers, 'publish'>,
): { readonly stop: () => void } {
  let publishing: Promise<unknown> | undefined
  const publish = () => {
    if (publishing) return
    const all = rateCounters.messages()
    if (all.length === 0) return
    publishing = Promise.allSettled(all.map((message) => peers.publish(message))).then(() => (publishing = undefined))
  }
  const timer = setInterval(publish, limits.rateCountersMs).unref()
  return { stop: () => clearInterval(timer) }
}

function itemsOf(message: string): readonly unknown[] {
  try {
    const items: unknown = JSON.parse(message)
    return Array.isArray(items) ? items : []
  } catch {
    return []
  }
}

/** Whoever may write to the database may say anything: less than nothing would open the throttle. */
const isCount = (item: unknown): item is Count =>
  Array.isArray(item) &&
  typeof item[0] === 'string' &&
  typeof item[1] === 'string' &&
  Number.isSafeInteger(item[2]) &&
  item[2] > 0
