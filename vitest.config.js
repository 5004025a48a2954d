import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import { hasBrowser } from './tools/test-browser.mjs'
import { hasPostgres } from './tools/test-database.mjs'
import { common, files, ofBrowser, ofPostgres, service } from './tools/test-files.mjs'

/** Tests that start the program take longest: begun first, none of them stands alone at the end. */
class LongestFirst extends BaseSequencer {
  async sort(unsorted) {
    // oxlint-disable-next-line unicorn/no-array-sort -- not of an array
    const sorted = await super.sort(unsorted)
    const isLong = ({ moduleId }) => moduleId.includes('/tests/dist/')
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const leftOut = [...(hasPostgres ? [] : ofPostgres), ...(hasBrowser ? [] : ofBrowser)]

/** Where the tests of the service store. `TOLLGATE_TEST_STORAGE` names one; without it they run on both. */
const { TOLLGATE_TEST_STORAGE: only } = process.env
const on = (storage, include) => ({
  test: {
    ...common,
    name: storage,
    include,
    exclude: leftOut,
    env: { TOLLGATE_TEST_STORAGE: storage },
  },
})
const both = [on('sqlite', files), ...(hasPostgres ? [on('postgres', service)] : [])]

export default defineConfig({
  test: {
    globalSetup: ['tools/test-database.mjs', 'tools/test-browser.mjs'],
    pool: 'forks',
    // Many tests wait, for a disk, a timer or another process: one worker more takes a tenth less time.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: only ? [on(only, files)] : both,
  },
})
