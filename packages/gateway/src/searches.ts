import { setImmediate as nextTurn } from 'node:timers/promises'
import { limits } from './limits.ts'
import { takeTurns } from './turns.ts'

/** What is known of the pages of a search. */
export interface Pages {
  /** How many transactions there are in all, where that was counted. */
  total: number | undefined
  /** Where pages begin, by their number: below the last of the page before. */
  readonly starts: Map<number, string>
}

/** The largest entry that searches of one kind have found, by which further ones read fewer of them at once. */
export interface EntrySizes {
  /** How many entries to read at once. */
  together(): number
  /** @param chars of an entry's text */
  note(chars: number): void
}

/** Searches look through much. They do it in steps, between which payments go on, and few of them at once. */
export interface Searches {
  /**
   * Does `work` for a merchant, unless too much is being searched for already.
   *
   * @returns undefined: it was not done
   */
  run<T>(merchant: string, work: () => Promise<T>): Promise<T | undefined>
  /** One step of a search. However many are under way, one step is done in a turn of the event loop. */
  step<T>(read: () => Promise<T>): Promise<T>
  /** How large the entries of searches were that have this key. */
  sizesOf(key: string): EntrySizes
  /**
   * Does `work` on the pages of a search, one after the other. What is known of searches that were not asked for lately
   * is forgotten.
   */
  paging<T>(search: string, work: (pages: Pages) => Promise<T>): Promise<T>
}

export function createSearches(): Searches {
  const ofMerchant = new Map<string, number>()
  let running = 0
  const inTurn = takeTurns()
  const known = new Map<string, Pages>()
  const largest = new Map<string, number>()

  function pagesOf(search: string): Pages {
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
      inTurn('step', async () => {
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
    paging: (search, work) => inTurn(`pages ${search}`, () => work(pagesOf(search))),
  }
}
