import { defineConfig } from 'vitest/config'

// Tests run as they are built: what is tested is what is shipped.
const long = process.env.TOLLGATE_TEST_LONG === '1'

export default defineConfig({
  test: {
    include: ['{packages/*,tools,tests}/dist/**/*.test.js'],
    pool: 'forks',
    testTimeout: long ? 3_600_000 : 120_000,
    hookTimeout: 60_000,
  },
})
