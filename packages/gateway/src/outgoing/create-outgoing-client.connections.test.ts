import { getEventListeners } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { eventLoopTurns } from '../testing/manual-wait.ts'
import { openOutgoingClients } from '../testing/open-outgoing-clients.ts'
import { startDelayedServer, postRequest, startHttpServer, startTcpServer } from '../testing/outgoing-servers.ts'

const { open, openBounded, closeAll } = openOutgoingClients()
afterEach(closeAll)

describe('connections', () => {
  it('are reused', async () => {
    const server = await startHttpServer((_, answer) => answer.end())
    const outgoing = open()
    for (let count = 0; count < 5; count++) await outgoing.send(postRequest(server))
    expect(server.connections).toBe(1)
  })

  it('are not used by two requests at once', async () => {
    const { server, requestsArrived, release } = await startDelayedServer()
    const outgoing = open()
    const replies = [outgoing.send(postRequest(server)), outgoing.send(postRequest(server))]
    await requestsArrived(2)
    release()
    await Promise.all(replies)
    expect(server.connections).toBe(2)
  })

  it('are bounded for each origin, and further requests wait for a connection', async () => {
    const { server, requestsArrived, release } = await startDelayedServer()
    const outgoing = openBounded({ originConnectionsMax: 2 })
    const ended: number[] = []
    const replies = [0, 1, 2, 3].map((index) => outgoing.send(postRequest(server)).then(() => ended.push(index)))
    await requestsArrived(2)
    expect(server.requests).toBe(2)
    release()
    await requestsArrived(2)
    release()
    await Promise.all(replies)
    expect(server.connections).toBe(2)
    expect(new Set(ended.slice(2))).toEqual(new Set([2, 3]))
  })

  it('are bounded in total, and an idle connection is closed for another origin', async () => {
    const first = await startHttpServer((_, answer) => answer.end())
    const second = await startHttpServer((_, answer) => answer.end())
    const outgoing = openBounded({ connectionsMax: 1 })
    for (const server of [first, second, first]) {
      expect(await outgoing.send(postRequest(server))).toMatchObject({ kind: 'answered' })
    }
    expect([first.connections, second.connections]).toEqual([2, 1])
  })

  it('are bounded in total, and a request to another origin waits for a connection in use', async () => {
    const { server, requestsArrived, release } = await startDelayedServer()
    const other = await startHttpServer((_, answer) => answer.end())
    const outgoing = openBounded({ connectionsMax: 1 })
    const busy = outgoing.send(postRequest(server))
    await requestsArrived(1)
    const waiting = outgoing.send(postRequest(other))
    expect(other.connections).toBe(0)
    release()
    expect(await busy).toMatchObject({ kind: 'answered' })
    expect(await waiting).toMatchObject({ kind: 'answered' })
  })

  it('have a bounded number of waiting requests', async () => {
    const { server, requestsArrived, release } = await startDelayedServer()
    const outgoing = openBounded({ originConnectionsMax: 1, waitingMax: 1 })
    const replies = [outgoing.send(postRequest(server)), outgoing.send(postRequest(server))]
    expect(await outgoing.send(postRequest(server))).toMatchObject({
      kind: 'failed',
      reason: 'too many requests wait for a connection',
    })
    for (const reply of replies) {
      await requestsArrived(1)
      release()
      expect(await reply).toMatchObject({ kind: 'answered' })
    }
  })

  it('are not given to a cancelled request', async () => {
    const { server, requestsArrived, release } = await startDelayedServer()
    const outgoing = openBounded({ originConnectionsMax: 1 })
    const first = outgoing.send(postRequest(server))
    await requestsArrived(1)
    const aborting = new AbortController()
    const second = outgoing.send({ ...postRequest(server), signal: aborting.signal })
    aborting.abort()
    expect(await second).toMatchObject({ kind: 'failed', reason: 'the request was cancelled' })
    release()
    await first
    const third = outgoing.send(postRequest(server))
    await requestsArrived(1)
    release()
    await third
    expect(server.requests).toBe(2)
  })

  // The timeout is below undici's default of four seconds, after which undici would close the connections, too.
  const belowDefault = { timeout: 3_000 }
  it.each(['', 'keep-alive: timeout=600\r\n'])(
    'are closed after the configured idle time, with the header %j of the server',
    belowDefault,
    async (header) => {
      const answer = `HTTP/1.1 200 OK\r\n${header}content-length: 0\r\n\r\n`
      const server = await startTcpServer((socket) => void socket.on('data', () => socket.write(answer)))
      await openBounded({ idleMs: 20 }).send(postRequest(server))
      while (server.sockets.size > 0) await new Promise((resolve) => setImmediate(resolve))
    },
  )

  it('carry any number of answers, each within the bound of one answer', async () => {
    const server = await startHttpServer((_, answer) => answer.end('x'.repeat(500)))
    const outgoing = openBounded({ answerReceivedBytesMax: 1_000 })
    for (let count = 0; count < 5; count++) {
      expect(await outgoing.send(postRequest(server))).toMatchObject({ kind: 'answered' })
    }
    expect(server.connections).toBe(1)
  })

  it('leave no timer and no listener behind', async () => {
    const server = await startHttpServer((_, answer) => answer.end())
    const outgoing = open()
    const { signal } = new AbortController()
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    await outgoing.send(postRequest(server))
    const before = timers()
    for (let count = 0; count < 20; count++) await outgoing.send({ ...postRequest(server), signal })
    expect(timers()).toBeLessThan(before + 10)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('are not reused above the maximum age', async () => {
    const server = await startHttpServer((_, answer) => answer.end())
    const outgoing = openBounded({ connectionAgeMs: 0 })
    await outgoing.send(postRequest(server))
    await outgoing.send(postRequest(server))
    expect(server.connections).toBe(2)
  })

  it('are not reused after the server has closed them', async () => {
    const server = await startHttpServer((_, answer) => answer.end())
    const outgoing = open()
    await outgoing.send(postRequest(server))
    for (const socket of server.sockets) socket.destroy()
    await eventLoopTurns()
    expect(await outgoing.send(postRequest(server))).toMatchObject({ kind: 'answered' })
    expect(server.connections).toBe(2)
  })
})

describe('a request ends without an answer', () => {
  it('if its signal is aborted, and the connection is closed', async () => {
    const { server, requestsArrived } = await startDelayedServer()
    const aborting = new AbortController()
    const reply = open().send({ ...postRequest(server), signal: aborting.signal })
    await requestsArrived(1)
    aborting.abort()
    expect(await reply).toMatchObject({ kind: 'failed', reason: 'the request was cancelled' })
    while (server.sockets.size > 0) await new Promise((resolve) => setImmediate(resolve))
  })

  it('if a signal that many requests share is aborted, without a warning', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error) => void warnings.push(warning)
    process.on('warning', onWarning)
    const { server, requestsArrived } = await startDelayedServer()
    const outgoing = open()
    const aborting = new AbortController()
    const replies = Array.from({ length: 20 }, () => outgoing.send({ ...postRequest(server), signal: aborting.signal }))
    await requestsArrived(20)
    aborting.abort()
    for (const reply of await Promise.all(replies)) expect(reply).toMatchObject({ reason: 'the request was cancelled' })
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })

  it('if its signal was aborted before, and nothing is sent', async () => {
    const server = await startHttpServer((_, answer) => answer.end())
    const reply = await open().send({ ...postRequest(server), signal: AbortSignal.abort() })
    expect(reply).toMatchObject({ kind: 'failed', reason: 'the request was cancelled' })
    expect(server.connections).toBe(0)
  })

  it('if its signal is aborted during the name look-up, and nothing is sent afterwards', async () => {
    const server = await startHttpServer((_, answer) => answer.end())
    let endLookUp: (addresses: readonly string[]) => void = () => undefined
    const outgoing = open({
      ports: { 'http:': [server.port] },
      resolve: () => new Promise((resolve) => (endLookUp = resolve)),
    })
    const aborting = new AbortController()
    const url = `http://shop.example:${server.port}/`
    const reply = outgoing.send({ method: 'POST', url, signal: aborting.signal })
    await new Promise((resolve) => setImmediate(resolve))
    aborting.abort()
    expect(await reply).toMatchObject({ kind: 'failed', reason: 'the request was cancelled' })
    endLookUp(['127.0.0.1'])
    // A connection that is opened now is accepted after all earlier ones.
    await new Promise((resolve) => connect(server.port, '127.0.0.1').on('connect', resolve))
    expect(server.connections).toBeLessThanOrEqual(1)
    expect(server.requests).toBe(0)
  })

  it('if the client is closed, whether the request is in flight, waiting or new', async () => {
    const { server, requestsArrived } = await startDelayedServer()
    const idle = await startHttpServer((_, answer) => answer.end())
    const resolve = vi.fn(async () => ['127.0.0.1'])
    const outgoing = open({ ports: { 'http:': [server.port] }, resolve, bounds: { originConnectionsMax: 1 } })
    const request = { method: 'POST', url: `http://shop.example:${server.port}/` } as const
    await outgoing.send(postRequest(idle))
    const replies = [outgoing.send(request), outgoing.send(request)]
    await requestsArrived(1)
    await outgoing.close()
    const stopping = { kind: 'failed', reason: 'the gateway is stopping' }
    for (const reply of replies) expect(await reply).toMatchObject(stopping)
    expect(await outgoing.send(request)).toMatchObject(stopping)
    while (server.sockets.size + idle.sockets.size > 0) await new Promise((next) => setImmediate(next))
    expect(server.requests).toBe(1)
    expect(resolve).toHaveBeenCalledTimes(1)
  })
})
