import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { common, unit } from './tools/test-files.mjs'

// In watch mode vitest itself loads the modules, so that it knows which tests a changed module concerns.
const watching = { isolate: true, server: { deps: { inline: [/\/dist\//] } }, forceRerunTriggers: [] }

export default defineConfig({
  test: {
    ...common,
    ...(process.argv.includes('--watch') ? watching : {}),
    name: 'unit',
    include: unit,
    env: { TOLLGATE_TEST_STORAGE: 'memory' },
    pool: 'forks',
    maxWorkers: availableParallelism() + 1,
  },
})
