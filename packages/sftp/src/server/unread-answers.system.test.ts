import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import ssh2 from 'ssh2'
import { expect, test } from 'vitest'
import { memoryTree } from '../testing/memory-tree.ts'
import { newKeys } from '../testing/raw-client.ts'
import { startSftpServer } from './start-sftp-server.ts'

// Only after the buffers of the kernel are full, which takes some hundred thousand requests, the server has to keep
// answers in memory.
test('the answers to refused requests that a client does not read are bounded', async () => {
  const [hostKey, user] = [newKeys(), newKeys()]
  const reasons: string[] = []
  const server = await startSftpServer({
    hostKeys: [hostKey.privateKey],
    users: () => ({ publicKeys: [user.publicKey], root: '/shop' }),
    tree: memoryTree({}),
    listen: { port: 0, host: '127.0.0.1' },
    limits: { unsentBytesMax: 100_000 },
    onEvent: (event) => event.kind === 'ended' && reasons.push(event.reason),
  })
  const socket = connect(server.port, '127.0.0.1')
  const client = new ssh2.Client().on('error', () => undefined)
  client.connect({ sock: socket, username: 'shop', privateKey: user.privateKey })
  await once(client, 'ready')
  socket.pause()
  for (let round = 0; round < 1_000 && server.connections() > 0; round++) {
    for (let index = 0; index < 1_000; index++) client.forwardIn('127.0.0.1', 0, () => undefined)
    await setImmediate()
  }
  await expect.poll(() => reasons).toEqual(['unsentBytesMax'])
  socket.destroy()
  await server.close()
})
