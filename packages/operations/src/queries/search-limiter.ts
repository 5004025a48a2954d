import { setImmediate as nextTurn } from 'node:timers/promises'
import { limits } from '../limits.ts'
import type { SearchPages, SearchLimiter } from '../ports/search-limiter.ts'
import { createKeyedMutex } from '../concurrency/keyed-mutex.ts'

/** Bounds the searches that run at once, for each merchant and in all. */
export function createSearches(): SearchLimiter {
  const ofMerchant = new Map<string, number>()
  let running = 0
  const withLock = createKeyedMutex()
  const known = new Map<string, SearchPages>()
  const largest = new Map<string, number>()

  function pagesOf(search: string): SearchPages {
    const pages = known.get(search) ?? { total: undefined, starts: new Map() }
    known.delete(search)
    known.set(search, pages)
    for (const [oldest] of known) if (known.size > limits.pagedSearchesMax) known.delete(oldest)
    for (const page of pages.starts.keys()) if (pages.starts.size > limits.pagesRememberedMax) pages.starts.delete(page)
    return pages
  }

  return {
    async run(merchant, work) {
      const own = ofMerchant.get(merchant) ?? 0
      if (own >= limits.searchesOfMerchantMax || running >= limits.searchesMax) return undefined
      running += 1
      ofMerchant.set(merchant, own + 1)
      try {
        return await work()
      } finally {
        running -= 1
        const left = (ofMerchant.get(merchant) ?? 1) - 1
        if (left > 0) ofMerchant.set(merchant, left)
        else ofMerchant.delete(merchant)
      }
    },
    step: (read) =>
      withLock('step', async () => {
        await nextTurn()
        return read()
      }),
    sizesOf: (key) => ({
      together() {
        const chars = largest.get(key)
        if (chars === undefined) return limits.queryRowsFirst
        return Math.min(limits.queryRowsTogether, Math.max(1, Math.floor(limits.queryStepChars / chars)))
      },
      note(chars) {
        if (chars <= (largest.get(key) ?? 0)) return
        largest.set(key, chars)
        for (const [oldest] of largest) if (largest.size > limits.searchSizesMax) largest.delete(oldest)
      },
    }),
    paging: (search, work) => withLock(`pages ${search}`, () => work(pagesOf(search))),
  }
}
