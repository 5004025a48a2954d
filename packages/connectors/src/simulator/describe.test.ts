import { expect, it } from 'vitest'
import { describeSimulator } from './describe.ts'
import { responseCards, testCards } from './test-cards.ts'

it('the guide names every card', () => {
  for (const { number } of [...testCards, ...responseCards]) expect(describeSimulator()).toContain(number)
})
