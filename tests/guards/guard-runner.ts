import { type RunnerTestCase, TestRunner } from 'vitest'
import { guardsByTable, guardsRefusingIn, withoutGuard } from './guard-switch.ts'

declare module 'vitest' {
  interface TaskMeta {
    guards?: GuardReport
  }
}

/** The guards that the tests of a worker have evaluated so far. */
export interface GuardReport {
  /** The guards by the call site of their table. */
  readonly tables: Readonly<Record<string, readonly string[]>>
  /** The guards with an example: a test that fails without the guard. */
  readonly withExample: readonly string[]
}

const withExample = new Set<string>()

/**
 * Runs each test as vitest does. A test in which exactly one guard refuses may be the example of that guard: it runs
 * again, first with all guards and then with that guard disabled, and is the example if only the last run fails.
 */
export default class GuardRunner extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const run = TestRunner.getTestFn(test)
    const [guard, ...otherGuards] = await guardsRefusingIn(run)
    if (guard !== undefined && otherGuards.length === 0 && !withExample.has(guard)) {
      // The run with all guards excludes tests that cannot be repeated: they fail whether a guard is disabled or not.
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
