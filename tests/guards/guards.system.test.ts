import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { startVitest } from 'vitest/node'
import type { GuardReport } from './guard-runner.ts'

const root = join(import.meta.dirname, '../../..')

/** The built modules of the packages. */
const modules = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
  .map((path) => `packages/${path}`)
  .filter((path) => /^packages\/[^/]+\/dist\/.*\.js$/.test(path))
const isTest = (path: string): boolean => path.endsWith('.test.js')

const CALL = /(?<!function )\bfirstFailure\(/g

/** Every call site of `firstFailure`, one for each table of guards: `packages/domain/dist/payment/capture.js:36:12`. */
const callSites = modules
  .filter((path) => !isTest(path))
  .flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, index) => Array.from(line.matchAll(CALL), (call) => `${path}:${index + 1}:${call.index + 1}`)),
  )

/** Runs tests on the in-memory storage, and repeats each possible example of a guard with that guard disabled. */
async function findGuardsWithoutExample(include: string[], testNamePattern?: RegExp) {
  const vitest = await startVitest('test', [], {
    config: false,
    root,
    watch: false,
    cache: false,
    include,
    ...(testNamePattern && { testNamePattern }),
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    execArgv: ['--import', new URL('module-hook.js', import.meta.url).href],
    runner: join(import.meta.dirname, 'guard-runner.js'),
    server: { deps: { external: [/\/dist\/(?!.*\.test\.js)/] } },
    env: { TOLLGATE_TEST_STORAGE: 'memory', TOLLGATE_TEST_LONG: '' },
    reporters: [{}],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  })
  const files = vitest.state.getTestModules()
  const reports = files
    .flatMap((file) =>
      Array.from(file.children.allTests(), (testCase): GuardReport | undefined => testCase.meta().guards),
    )
    .filter((report) => report !== undefined)
  const failed = files.filter((file) => !file.ok()).map(({ moduleId }) => relative(root, moduleId))
  await vitest.close()
  const tables = new Map(reports.flatMap((report) => Object.entries(report.tables)))
  const withExample = new Set(reports.flatMap((report) => report.withExample))
  const guards = Array.from(tables.values()).flat()
  return {
    failed,
    count: guards.length,
    tablesWithoutTest: callSites.filter((callSite) => !tables.has(callSite)),
    withoutExample: guards.filter((guard) => !withExample.has(guard)),
  }
}

/** In the random sequences of these tests many guards refuse, so that none of them is the example of one guard. */
const randomTests: ReadonlySet<string> = new Set(['packages/domain/dist/payment/model.test.js'])

test('every guard has an example in the folders that contain tables of guards', async () => {
  const folders = new Set(callSites.map((callSite) => dirname(callSite)))
  const include = modules.filter((path) => isTest(path) && folders.has(dirname(path)) && !randomTests.has(path))
  const { count, ...missing } = await findGuardsWithoutExample(include)
  const examples = count - missing.withoutExample.length
  console.log(`${examples} of ${count} guards in ${callSites.length} tables have an example`)
  expect(missing).toEqual({ failed: [], tablesWithoutTest: [], withoutExample: [] })
})

test('a guard without an example is reported', async () => {
  const include = modules.filter((path) => path.endsWith('/checkout/checkout.test.js'))
  const { count, withoutExample } = await findGuardsWithoutExample(include, /^a checkout (?!with a pending payment)/)
  expect([count, withoutExample]).toEqual([3, [expect.stringContaining(' 800.600.100 ')]])
})
