import { randomUUID } from 'node:crypto'
import type { Peers } from '@tollgate/storage'
import type { Clock } from '@tollgate/operations'
import { limits } from '../limits.ts'
import type { Throttle } from './throttle.ts'

/**
 * Counts of admitted requests, wrong credentials and declines that processes share, so that a limit holds for all of
 * them together.
 */
export interface RateCounters {
  /** A throttle whose counts are shared, under the same name in all processes. */
  share(name: string, throttle: Throttle): Throttle
  /** The counts since the last call, as messages to the peers. */
  messages(): readonly string[]
  /** Adds the counts of a peer's message. */
  count(message: string): void
}

/** The number of requests of a key of a throttle. */
type Count = readonly [throttle: string, key: string, requests: number]

/** @param isShared whether there can be peers; without them nothing is published */
export function createRateCounters(clock: Clock, isShared: boolean): RateCounters {
  const processId = randomUUID()
  const throttles = new Map<string, Throttle>()
  /** The numbers of requests that this process has admitted and not published yet, by throttle and key. */
  const unpublished = new Map<string, Map<string, number>>()

  return {
    share(name, throttle) {
      if (!isShared) return throttle
      throttles.set(name, throttle)
      const counts = new Map<string, number>()
      unpublished.set(name, counts)
      return {
        record: (key, requests, nowMs) => throttle.record(key, requests, nowMs),
        wait: (key, requestsMax, nowMs) => throttle.wait(key, requestsMax, nowMs),
        take(key, requestsMax, nowMs) {
          const waitMs = throttle.take(key, requestsMax, nowMs)
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
      const messageCount = Math.ceil(all.length / limits.rateCountersPerMessage)
      return Array.from({ length: messageCount }, (_, index) =>
        JSON.stringify([
          processId,
          ...all.slice(index * limits.rateCountersPerMessage, (index + 1) * limits.rateCountersPerMessage),
        ]),
      )
    },
    count(message) {
      const [sender, ...counts] = itemsOf(message)
      if (sender === processId) return
      for (const count of counts) {
        // A peer of another version may have other throttles.
        if (isCount(count)) throttles.get(count[0])?.record(count[1], count[2], clock.now())
      }
    },
  }
}

/** Publishes counts to the peers every `limits.rateCountersMs` until `stop`. A failed message is not sent again. */
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

/** Messages are not trusted: a negative count would raise the limit. */
const isCount = (item: unknown): item is Count =>
  Array.isArray(item) &&
  typeof item[0] === 'string' &&
  typeof item[1] === 'string' &&
  Number.isSafeInteger(item[2]) &&
  item[2] > 0
