import { type RunnerTestCase, TestRunner } from 'vitest'
import { guardsByTable, guardsRefusingIn, withoutGuard } from './guard-switch.ts'

declare module 'vitest' {
  interface TaskMeta {
    guards?: GuardReport
  }
}

/** The guards that the tests of a worker have evaluated so far. */
export interface GuardReport {
  /** By the call site of their table. */
  readonly tables: Readonly<Record<string, readonly string[]>>
  readonly withExample: readonly string[]
}

const withExample = new Set<string>()

/**
 * Runs each test as vitest does. A test in which exactly one guard refuses may be the example of that guard: it runs
 * again with the guard disabled, and must then fail.
 */
export default class GuardRunner extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const run = TestRunner.getTestFn(test)
    const [guard, ...others] = await guardsRefusingIn(run)
    if (guard !== undefined && others.length === 0 && !withExample.has(guard)) {
      // A test that cannot run twice would also fail with all guards.
      const isExample = (await passes(run)) && !(await withoutGuard(guard, () => passes(run)))
      if (isExample) withExample.add(guard)
    }
    test.meta.guards = { tables: guardsByTable(), withExample: [...withExample] }
  }
}

const passes = async (run: () => unknown): Promise<boolean> => {
  try {
    await run()
    return true
  } catch {
    return false
  }
}
