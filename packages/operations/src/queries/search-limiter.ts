import { setImmediate as nextTurn } from 'node:timers/promises'
import { limits } from '../limits.ts'
import type { SearchPages, SearchLimiter } from '../ports/search-limiter.ts'
import { createKeyedMutex } from '../concurrency/keyed-mutex.ts'

/**
 * Creates a limiter that bounds the concurrent searches of each merchant and of all merchants, runs their steps one
 * after another, and caches entry sizes and the starts of pages.
 */
export function createSearchLimiter(): SearchLimiter {
  const searchesByMerchant = new Map<string, number>()
  let running = 0
  const withLock = createKeyedMutex()
  const pagesBySearch = new Map<string, SearchPages>()
  const charsMaxByKey = new Map<string, number>()

  function pagesOf(search: string): SearchPages {
    const pages = pagesBySearch.get(search) ?? { total: undefined, starts: new Map() }
    pagesBySearch.delete(search)
    pagesBySearch.set(search, pages)
    for (const [oldest] of pagesBySearch) if (pagesBySearch.size > limits.pagedSearchesMax) pagesBySearch.delete(oldest)
    for (const page of pages.starts.keys()) if (pages.starts.size > limits.pageStartsMax) pages.starts.delete(page)
    return pages
  }

  return {
    async run(merchant, work) {
      const ownSearches = searchesByMerchant.get(merchant) ?? 0
      if (ownSearches >= limits.searchesOfMerchantMax || running >= limits.searchesMax) return undefined
      running += 1
      searchesByMerchant.set(merchant, ownSearches + 1)
      try {
        return await work()
      } finally {
        running -= 1
        const remaining = (searchesByMerchant.get(merchant) ?? 1) - 1
        if (remaining > 0) searchesByMerchant.set(merchant, remaining)
        else searchesByMerchant.delete(merchant)
      }
    },
    step: (read) =>
      withLock('step', async () => {
        await nextTurn()
        return read()
      }),
    sizesOf: (key) => ({
      batchSize() {
        const chars = charsMaxByKey.get(key)
        if (chars === undefined) return limits.queryRowsPerFirstRead
        return Math.min(limits.queryRowsPerRead, Math.max(1, Math.floor(limits.queryCharsPerRead / chars)))
      },
      record(chars) {
        if (chars <= (charsMaxByKey.get(key) ?? 0)) return
        charsMaxByKey.set(key, chars)
        for (const [oldest] of charsMaxByKey)
          if (charsMaxByKey.size > limits.searchSizesMax) charsMaxByKey.delete(oldest)
      },
    }),
    withPages: (search, work) => withLock(`pages ${search}`, () => work(pagesOf(search))),
  }
}
