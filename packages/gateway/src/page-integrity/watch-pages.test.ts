import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../runtime/clock/movable-clock.ts'
import { createLog } from '../runtime/log.ts'
import { createPageIntegrity } from './page-integrity.ts'
import { watchPages } from './watch-pages.ts'

test('a page that never ends is reported as changed', async () => {
  const server = createServer((_request, response) => {
    const write = () => void (response.destroyed || response.write('x'.repeat(64 * 1024), write))
    write()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port }: AddressInfo = Object(server.address())
  const pageIntegrity = createPageIntegrity()
  const task = watchPages(
    {
      pageIntegrity,
      clock: systemClock,
      log: createLog('silent', () => undefined),
      pages: { url: `http://127.0.0.1:${port}` },
    },
    [{ path: '/page', status: 200, expectedHeadersOf: () => ({}), isExpectedBody: () => false }],
  )
  while ((await task.step()) === 'more');
  expect(pageIntegrity.lastCheck).toMatchObject({ outcome: 'changed', differences: [{ path: '/page', what: 'body' }] })
})
