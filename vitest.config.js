import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import { hasBrowser } from './tools/test-browser.mjs'
import { hasPostgres } from './tools/test-database.mjs'

// Tests run as they are built: what is tested is what is shipped. The files of a worker share one process and what it
// has loaded and warmed up, which makes them several times as fast; no module keeps what a test could stumble over.
const long = process.env.TOLLGATE_TEST_LONG === '1'

/** Tests that start the program take longest: begun first, none of them stands alone at the end. */
class LongestFirst extends BaseSequencer {
  async sort(files) {
    // oxlint-disable-next-line unicorn/no-array-sort -- not of an array
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }) => moduleId.includes('/tests/dist/')
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const common = {
  isolate: false,
  server: { deps: { external: [/\/dist\/(?!.*\.test\.js)/] } },
  testTimeout: long ? 3_600_000 : 120_000,
  hookTimeout: 60_000,
}

const files = ['packages', 'tools', 'tests']
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => `${folder}/${String(file)}`))
  .filter((file) => /^(?:packages\/[^/]+|tools|tests)\/dist\/.*\.test\.js$/.test(file))
const thatSay = (words) => files.filter((file) => words.test(readFileSync(file, 'utf8')))
/** Those that store where they are told to, and those that want PostgreSQL and nothing else; a move has both. */
const service = thatSay(/\btest(?:Gateway|Storage)\(/).filter((file) =>
  /^packages\/(?:operations|gateway)\/(?!.*\/data-set\/)/.test(file),
)
const ofPostgres = thatSay(/\b(?:newDatabase|startPostgres)\b/).filter(
  (file) => !/(?:suite|equal|walk)\.test\.js$/.test(file),
)

const ofBrowser = thatSay(/\blaunchBrowser\b/)
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
