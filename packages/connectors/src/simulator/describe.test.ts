import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeSimulator } from './describe.ts'
import { responseCards, testCards } from './test-cards.ts'

it('docs/guides/test-data.md is what the tables say; run `npm run generate` after a change', () => {
  const page = join(import.meta.dirname, '../../../../docs/guides/test-data.md')
  expect(readFileSync(page, 'utf8')).toBe(describeSimulator())
})

it('the guide names every card', () => {
  for (const { number } of [...testCards, ...responseCards]) expect(describeSimulator()).toContain(number)
})
