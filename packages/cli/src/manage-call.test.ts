import { once } from 'node:events'
import { createServer } from 'node:http'
import { Command } from 'commander'
import { afterEach, expect, test, vi } from 'vitest'
import { addCalls, call, option, secondsOption } from './manage-call.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

test('the query of a read contains the given options, texts and numbers', async () => {
  const urls: unknown[] = []
  const server = createServer(({ url }, response) => {
    urls.push(url)
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  vi.stubEnv('TOLLGATE_MANAGE_PORT', String(typeof address === 'object' ? address?.port : ''))
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const group = new Command()
  addCalls(group, [
    call('list', 'GET', '/jobs', 'list jobs', {
      kind: option('--kind <kind>'),
      state: option('--state <state>'),
      ageSeconds: secondsOption('--age <seconds>', 'at least this old'),
    }),
  ])
  await group.parseAsync(['list', '--kind', 'a b', '--age', '60'], { from: 'user' })
  server.close()
  expect(urls).toEqual(['/manage/v1/jobs?kind=a+b&ageSeconds=60'])
})
