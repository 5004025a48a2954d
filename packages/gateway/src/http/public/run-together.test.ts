import { expect, it } from 'vitest'
import { createRunTogether } from './run-together.ts'

it('the work of one turn runs later, in the order of arrival, and work that arrives meanwhile in the next turn', () => {
  const turns: (() => void)[] = []
  const done: string[] = []
  const runTogether = createRunTogether((work) => void turns.push(work))
  runTogether(() => {
    done.push('first')
    runTogether(() => void done.push('third'))
  })
  runTogether(() => void done.push('second'))
  expect(turns).toHaveLength(1)
  expect(done).toEqual([])
  turns.shift()?.()
  expect(done).toEqual(['first', 'second'])
  turns.shift()?.()
  expect(done).toEqual(['first', 'second', 'third'])
  expect(turns).toHaveLength(0)
})
