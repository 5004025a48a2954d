import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testGateway } from '../../testing/test-gateway.ts'
import { manageServer } from './server.ts'

const tollgate = await testGateway()
const server = manageServer(tollgate.gateway)
beforeAll(() => server.listen({ port: 0, host: '127.0.0.1' }))
afterAll(async () => {
  await server.close()
  await tollgate.close()
})

/** Bytes that neither the server nor the operating system buffers. */
const REST = 32 * 1024 * 1024

test('the rest of an upload that is refused at its beginning is read, so that the client gets the answer', async () => {
  const [address] = server.addresses()
  const socket = connect(typeof address === 'object' ? address.port : 0, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  const archive = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(REST)])
  const head = [
    'POST /manage/v1/settlement-files?name=a.csv HTTP/1.1',
    'Host: tollgate',
    `Authorization: Bearer ${tollgate.gateway.config.manageKey}`,
    'Content-Type: text/csv',
    `Content-Length: ${archive.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(archive)
  await once(socket, 'close')
  const answer = Buffer.concat(chunks).toString()
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer).toContain('archive')
  expect(socket.bytesWritten).toBeGreaterThan(REST)
})
