import { expect, test } from 'vitest'
import type { ascii1987 } from '../specs/specs.ts'
import { joinLinks } from './link-group.ts'
import type { Link } from './link.ts'

const message = { type: '0100', fields: { 11: '000001' } }

test('a group sends on the ready link with the fewest waiting requests', async () => {
  const sent: string[] = []
  const fake = (name: string, isReady: boolean, waiting: number): Link<typeof ascii1987.fields> => ({
    isReady: () => isReady,
    waiting: () => waiting,
    send: async () => {
      sent.push(name)
      return { kind: 'unknown' }
    },
    test: async () => undefined,
    close: async () => {},
  })
  const group = joinLinks([fake('down', false, 0), fake('busy', true, 9), fake('idle', true, 2)])
  await group.send(message)
  expect(sent).toEqual(['idle'])
  const reason = 'no link to the host is up'
  expect(await joinLinks([fake('down', false, 0)]).send(message)).toEqual({ kind: 'notSent', reason })
})
