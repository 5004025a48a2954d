import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import ssh2 from 'ssh2'
import { expect, test } from 'vitest'
import { serverLimits } from '../limits.ts'
import { memoryTree } from '../testing/memory-tree.ts'
import { connectRaw, newKeys } from '../testing/raw-client.ts'
import { systemTimers } from '../timers.ts'
import { serveConnection } from './connection.ts'

test('the answers to refused requests that a client does not read are bounded', async () => {
  const [hostKey, user] = [newKeys(), newKeys()]
  const key = ssh2.utils.parseKey(hostKey.privateKey)
  if (key instanceof Error) throw key
  const reasons: string[] = []
  let accepted: Socket | undefined
  const server = createServer((socket) => {
    accepted = socket
    serveConnection(socket, {
      hostKeys: [key],
      users: () => ({ publicKeys: [user.publicKey], root: '/shop' }),
      tree: memoryTree({}),
      limits: { ...serverLimits, unsentBytesMax: 20_000 },
      timers: systemTimers,
      onAuthenticated: () => true,
      onRefused: () => undefined,
      onEnd: (reason) => reasons.push(reason),
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const client = await connectRaw(typeof address === 'object' ? (address?.port ?? 0) : 0, 'shop', user.privateKey)
  // From now on nothing that the server writes leaves, as if the buffers of the kernel were full.
  accepted?.cork()
  const request = () => client.forwardIn('127.0.0.1', 0, () => undefined)
  for (let index = 0; index < 200; index++) request()
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(reasons).toEqual([])
  for (let index = 0; index < 3_000; index++) request()
  await expect.poll(() => reasons).toEqual(['unsentBytesMax'])
  client.destroy()
  server.close()
})
