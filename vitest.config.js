import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'

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

export default defineConfig({
  test: {
    include: ['{packages/*,tools,tests}/dist/**/*.test.js'],
    globalSetup: 'tools/test-database.mjs',
    pool: 'forks',
    maxWorkers: '100%',
    isolate: false,
    sequence: { sequencer: LongestFirst },
    server: { deps: { external: [/\/dist\/(?!.*\.test\.js)/] } },
    testTimeout: long ? 3_600_000 : 120_000,
    hookTimeout: 60_000,
  },
})
