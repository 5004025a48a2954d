import { sandboxIds, sandboxToken } from '@tollgate/gateway'
import { expect, test, vi } from 'vitest'
import { jsonIn, readDocument, shellIn } from './examples.ts'
import { type Answer, answerTo, gatewayFor } from './running-gateway.ts'

const { running } = gatewayFor('terminals-guide')
const page = readDocument('docs/guides/terminals.md')

test('the guide to terminals shows payments, and an offline sale that is sent twice', async () => {
  const variables = new Map([
    ['TOKEN', sandboxToken],
    ['ENTITY', sandboxIds.channel],
  ])
  const answers: Answer[] = []
  let last = ''
  for (const command of shellIn(page)) {
    const [, name] = /^([A-Z]+)=\S+$/.exec(command) ?? []
    if (name !== undefined) {
      variables.set(name, answers.at(-1)?.id ?? '')
      continue
    }
    last = command
    // The link to the host of EXTERNAL may not be open yet.
    const run = async () => {
      const answer = await answerTo(running().url, command, variables)
      expect(answer.status).toBe(200)
      return answer
    }
    answers.push(await vi.waitFor(run, { timeout: 20_000, interval: 200 }))
  }
  const again = await answerTo(running().url, last, variables)
  expect([...answers, again]).toMatchObject(jsonIn(page))
  expect(again).toMatchObject({ resultDetails: { DuplicateOf: answers.at(-1)?.id } })
})
