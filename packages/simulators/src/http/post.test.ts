import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { postByHttp } from './post.ts'

let server: Server
let url = ''

beforeEach(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const headers = { location: '/else' }
      const status = Number(request.url?.slice(1))
      const body =
        status === 201 ? 'x'.repeat(2 * limits.bodyBytesMax) : `${request.method} ${Buffer.concat(chunks).toString()}`
      response.writeHead(status, headers).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port }: AddressInfo = Object(server.address())
  url = `http://127.0.0.1:${port}`
})

afterEach(() => {
  server.close()
  server.closeAllConnections()
})

test('the body of a success is returned', async () =>
  expect(await postByHttp(`${url}/200`, '{"ü":1}')).toBe('POST {"ü":1}'))

test.each([302, 400, 500])('the body of status %d is dropped', async (status) => {
  expect(await postByHttp(`${url}/${status}`, '')).toBeUndefined()
})

test('an answer above the limit is cut off', async () => {
  expect((await postByHttp(`${url}/201`, ''))?.length).toBeLessThanOrEqual(limits.bodyBytesMax)
})

test('without a listener there is no answer', async () => {
  server.close()
  server.closeAllConnections()
  await new Promise((resolve) => setImmediate(resolve))
  expect(await postByHttp(url, '')).toBeUndefined()
})
