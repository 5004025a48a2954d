import { afterAll, expect, test } from 'vitest'
import { sandboxIds } from '@tollgate/operations'
import { testGateway } from '../../testing/test-gateway.ts'
import { manageServer } from './server.ts'

const tollgate = await testGateway()
const server = manageServer(tollgate.gateway)
afterAll(async () => {
  await server.close()
  await tollgate.close()
})

const { merchant, channel, user } = sandboxIds
const rule = (when: object) => ({ rules: [{ name: 'r', when, verdict: 'reject' }] })
const count = (changes: object) => ({ kind: 'count', by: 'customer.ip', above: 1, withinSeconds: 60, ...changes })
const setting = (settings: object) => ['PATCH', `/entities/${channel}`, { settings }] as const

/** Requests of operators that contain a number. The test replaces `N` by the number. */
test.each<readonly [name: string, method: 'POST' | 'PATCH' | 'PUT', path: string, body: object]>([
  ['lifetimeSeconds', 'POST', '/tokens', { entityId: merchant, lifetimeSeconds: 'N' }],
  ['overlapSeconds', 'POST', `/tokens/${user}/rotate`, { overlapSeconds: 'N' }],
  ['overlapSeconds', 'POST', `/webhooks/${user}/test`, { overlapSeconds: 'N' }],
  ['duplicateWindowSeconds', ...setting({ duplicateWindowSeconds: 'N' })],
  ['clearingCutOffHours', ...setting({ clearingCutOffHours: 'N' })],
  ['retentionDays', ...setting({ retentionDays: 'N' })],
  ['createPayment', ...setting({ throttle: { createPayment: 'N' } })],
  ['decoupledMinutes', ...setting({ authentication: { decoupledMinutes: 'N' } })],
  ['above', 'PUT', `/entities/${channel}/risk-rules`, rule(count({ above: 'N' }))],
  ['withinSeconds', 'PUT', `/entities/${channel}/risk-rules`, rule(count({ withinSeconds: 'N' }))],
  ['advance', 'POST', '/clock', { advance: 'PNY' }],
])('a number out of bounds is refused with the name of its field, %s (%s %s)', async (name, method, path, body) => {
  const before = tollgate.gateway.clock.now()
  for (const number of ['1e400', '-1e400', '1e308', '999999999999999999999']) {
    const payload = JSON.stringify(body).replace('"N"', number).replace('N', number)
    const headers = { authorization: 'Bearer manage-sandbox', 'content-type': 'application/json' }
    const answer = await server.inject({ method, url: `/manage/v1${path}`, headers, payload })
    expect([number, answer.statusCode]).toEqual([number, 400])
    expect(answer.json().error.message).toContain(name)
  }
  expect(tollgate.gateway.clock.now()).toBe(before)
})
