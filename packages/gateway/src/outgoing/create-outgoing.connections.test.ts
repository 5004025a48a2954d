import { getEventListeners } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { eventLoopTurns } from '../testing/manual-wait.ts'
import { openOutgoing } from '../testing/open-outgoing.ts'
import { holding, post, httpServer, tcpServer } from '../testing/outgoing-servers.ts'

const { open, bounded, closeAll } = openOutgoing()
afterEach(closeAll)

describe('connections', () => {
  it('are used again', async () => {
    const server = await httpServer((_, answer) => answer.end())
    const outgoing = open()
    for (let count = 0; count < 5; count++) await outgoing.send(post(server))
    expect(server.connections).toBe(1)
  })

  it('are not used by two at once', async () => {
    const { server, arrived, release } = await holding()
    const outgoing = open()
    const replies = [outgoing.send(post(server)), outgoing.send(post(server))]
    await arrived(2)
    release()
    await Promise.all(replies)
    expect(server.connections).toBe(2)
  })

  it('are bounded for each origin: the others wait, in order', async () => {
    const { server, arrived, release } = await holding()
    const outgoing = bounded({ originConnectionsMax: 2 })
    const ended: number[] = []
    const replies = [0, 1, 2, 3].map((each) => outgoing.send(post(server)).then(() => ended.push(each)))
    await arrived(2)
    expect(server.requests).toBe(2)
    release()
    await arrived(2)
    release()
    await Promise.all(replies)
    expect(server.connections).toBe(2)
    expect(new Set(ended.slice(2))).toEqual(new Set([2, 3]))
  })

  it('are bounded in all: an idle one makes room', async () => {
    const first = await httpServer((_, answer) => answer.end())
    const second = await httpServer((_, answer) => answer.end())
    const outgoing = bounded({ connectionsMax: 1 })
    for (const server of [first, second, first]) {
      expect(await outgoing.send(post(server))).toMatchObject({ kind: 'answered' })
    }
    expect([first.connections, second.connections]).toEqual([2, 1])
  })

  it('are bounded in all: one in use does not, and what waits for it goes to another origin', async () => {
    const { server, arrived, release } = await holding()
    const other = await httpServer((_, answer) => answer.end())
    const outgoing = bounded({ connectionsMax: 1 })
    const busy = outgoing.send(post(server))
    await arrived(1)
    const waits = outgoing.send(post(other))
    expect(other.connections).toBe(0)
    release()
    expect(await busy).toMatchObject({ kind: 'answered' })
    expect(await waits).toMatchObject({ kind: 'answered' })
  })

  it('a bounded number of requests waits for them', async () => {
    const { server, arrived, release } = await holding()
    const outgoing = bounded({ originConnectionsMax: 1, waitingMax: 1 })
    const replies = [outgoing.send(post(server)), outgoing.send(post(server))]
    expect(await outgoing.send(post(server))).toMatchObject({
      kind: 'failed',
      reason: 'too many requests wait for a connection',
    })
    for (const reply of replies) {
      await arrived(1)
      release()
      expect(await reply).toMatchObject({ kind: 'answered' })
    }
  })

  it('a request that is called off waits no more', async () => {
    const { server, arrived, release } = await holding()
    const outgoing = bounded({ originConnectionsMax: 1 })
    const first = outgoing.send(post(server))
    await arrived(1)
    const aborting = new AbortController()
    const second = outgoing.send({ ...post(server), signal: aborting.signal })
    aborting.abort()
    expect(await second).toMatchObject({ kind: 'failed', reason: 'it was called off' })
    release()
    await first
    const third = outgoing.send(post(server))
    await arrived(1)
    release()
    await third
    expect(server.requests).toBe(2)
  })

  // Undici alone would keep them for four seconds, or as long as the other side says.
  const soon = { timeout: 3_000 }
  it.each(['', 'keep-alive: timeout=600\r\n'])('that are idle end soon, after the header %j', soon, async (header) => {
    const answer = `HTTP/1.1 200 OK\r\n${header}content-length: 0\r\n\r\n`
    const server = await tcpServer((socket) => void socket.on('data', () => socket.write(answer)))
    await bounded({ idleMs: 20 }).send(post(server))
    while (server.sockets.size > 0) await new Promise((resolve) => setImmediate(resolve))
  })

  it('carry any number of answers, each of them within its bound', async () => {
    const server = await httpServer((_, answer) => answer.end('x'.repeat(500)))
    const outgoing = bounded({ answerLineBytesMax: 1_000 })
    for (let count = 0; count < 5; count++) {
      expect(await outgoing.send(post(server))).toMatchObject({ kind: 'answered' })
    }
    expect(server.connections).toBe(1)
  })

  it('leave no timer and no listener behind', async () => {
    const server = await httpServer((_, answer) => answer.end())
    const outgoing = open()
    const { signal } = new AbortController()
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    await outgoing.send(post(server))
    const before = timers()
    for (let count = 0; count < 20; count++) await outgoing.send({ ...post(server), signal })
    expect(timers()).toBeLessThan(before + 10)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('of a certain age are not used again', async () => {
    const server = await httpServer((_, answer) => answer.end())
    const outgoing = bounded({ connectionAgeMs: 0 })
    await outgoing.send(post(server))
    await outgoing.send(post(server))
    expect(server.connections).toBe(2)
  })

  it('that the other side ends while they are idle are not used again', async () => {
    const server = await httpServer((_, answer) => answer.end())
    const outgoing = open()
    await outgoing.send(post(server))
    for (const socket of server.sockets) socket.destroy()
    await eventLoopTurns()
    expect(await outgoing.send(post(server))).toMatchObject({ kind: 'answered' })
    expect(server.connections).toBe(2)
  })
})

describe('an end before the answer', () => {
  it('by the signal: the connection ends with it', async () => {
    const { server, arrived } = await holding()
    const aborting = new AbortController()
    const reply = open().send({ ...post(server), signal: aborting.signal })
    await arrived(1)
    aborting.abort()
    expect(await reply).toMatchObject({ kind: 'failed', reason: 'it was called off' })
    while (server.sockets.size > 0) await new Promise((resolve) => setImmediate(resolve))
  })

  it('by a signal that many share, without a warning', async () => {
    const warnings: Error[] = []
    const warned = (warning: Error) => void warnings.push(warning)
    process.on('warning', warned)
    const { server, arrived } = await holding()
    const outgoing = open()
    const aborting = new AbortController()
    const replies = Array.from({ length: 20 }, () => outgoing.send({ ...post(server), signal: aborting.signal }))
    await arrived(20)
    aborting.abort()
    for (const reply of await Promise.all(replies)) expect(reply).toMatchObject({ reason: 'it was called off' })
    process.off('warning', warned)
    expect(warnings).toEqual([])
  })

  it('by a signal that was there before: nothing is sent', async () => {
    const server = await httpServer((_, answer) => answer.end())
    const reply = await open().send({ ...post(server), signal: AbortSignal.abort() })
    expect(reply).toMatchObject({ kind: 'failed', reason: 'it was called off' })
    expect(server.connections).toBe(0)
  })

  it('by the signal, while the name is looked up: nothing is sent when it is found', async () => {
    const server = await httpServer((_, answer) => answer.end())
    let found: (addresses: readonly string[]) => void = () => undefined
    const outgoing = open({
      ports: { 'http:': [server.port] },
      resolve: () => new Promise((resolve) => (found = resolve)),
    })
    const aborting = new AbortController()
    const url = `http://shop.example:${server.port}/`
    const reply = outgoing.send({ method: 'POST', url, signal: aborting.signal })
    await new Promise((resolve) => setImmediate(resolve))
    aborting.abort()
    expect(await reply).toMatchObject({ kind: 'failed', reason: 'it was called off' })
    found(['127.0.0.1'])
    // A connection made now is accepted after any that was begun before.
    await new Promise((resolve) => connect(server.port, '127.0.0.1').on('connect', resolve))
    expect(server.connections).toBeLessThanOrEqual(1)
    expect(server.requests).toBe(0)
  })

  it('by close: what is under way, what waits, what is idle, and what comes later', async () => {
    const { server, arrived } = await holding()
    const idle = await httpServer((_, answer) => answer.end())
    const resolve = vi.fn(async () => ['127.0.0.1'])
    const outgoing = open({ ports: { 'http:': [server.port] }, resolve, bounds: { originConnectionsMax: 1 } })
    const request = { method: 'POST', url: `http://shop.example:${server.port}/` } as const
    await outgoing.send(post(idle))
    const replies = [outgoing.send(request), outgoing.send(request)]
    await arrived(1)
    await outgoing.close()
    const stopping = { kind: 'failed', reason: 'the gateway is stopping' }
    for (const reply of replies) expect(await reply).toMatchObject(stopping)
    expect(await outgoing.send(request)).toMatchObject(stopping)
    while (server.sockets.size + idle.sockets.size > 0) await new Promise((next) => setImmediate(next))
    expect(server.requests).toBe(1)
    expect(resolve).toHaveBeenCalledTimes(1)
  })
})
