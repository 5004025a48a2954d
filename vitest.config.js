import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import { hasBrowser } from './tools/test-browser.mjs'
import { hasPostgres } from './tools/test-database.mjs'
import { browser, isLong, postgres, project, storage, system, unit } from './tools/test-files.mjs'

/** Starts the longest tests, those of the system, first, so that none of them runs alone at the end. */
class LongestFirst extends BaseSequencer {
  async sort(unsorted) {
    // oxlint-disable-next-line unicorn/no-array-sort -- not of an array
    const sorted = await super.sort(unsorted)
    const isSystem = (file) => file.project.name === 'system'
    return [...sorted.filter(isSystem), ...sorted.filter((file) => !isSystem(file))]
  }
}

/** A project whose tests store in SQLite or PostgreSQL. */
const storageProject = (kind, name, include) => project(name, { include }, { env: { TOLLGATE_TEST_STORAGE: kind } })

export default defineConfig({
  test: {
    globalSetup: ['tools/test-database.mjs', 'tools/test-browser.mjs'],
    pool: 'forks',
    // Many tests wait for a disk, a timer or another process, so there are more workers than processors.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      project('unit', unit),
      storageProject('sqlite', 'sqlite', [storage]),
      storageProject('sqlite', 'system', [system, ...(hasBrowser ? [browser] : [])]),
      // One suite tests storage on both dialects, so only long runs repeat the tests of the service on PostgreSQL.
      ...(hasPostgres ? [storageProject('postgres', 'postgres', [...(isLong ? [storage] : []), postgres])] : []),
    ],
  },
})
