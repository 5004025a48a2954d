import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { project, storage, unit } from './tools/test-files.mjs'

// In watch mode vitest itself loads the modules, so that it finds the tests of a changed module.
const watching = { isolate: true, server: { deps: { inline: [/\/dist\//] } }, forceRerunTriggers: [] }
const options = process.argv.includes('--watch') ? watching : {}

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: availableParallelism() + 1,
    projects: [
      project('unit', unit, options),
      project('memory', { include: [storage] }, { ...options, env: { TOLLGATE_TEST_STORAGE: 'memory' } }),
    ],
  },
})
