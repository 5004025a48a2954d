import { Duplex } from 'node:stream'
import { expect, it, test, vi } from 'vitest'
import { encodeMessage } from '../codec.ts'
import { encodeFrame } from '../frames.ts'
import { limits } from '../limits.ts'
import { ascii1987 } from '../specs/specs.ts'
import { arrived, opened, readyLink, request, setUp, SILENT, unmatched } from '../testing/scripted-host.ts'

test('answers are matched with their requests in any order', async () => {
  const { link, host } = await readyLink()
  opened.push(link)
  const outcomes = ['000001', '000002', '000003'].map((trace) => link.send(request(trace)))
  for (const trace of ['000003', '000001', '000002'])
    host.answer(await arrived(host, trace), { 38: `OK${trace.slice(2)}` })
  const codes = (await Promise.all(outcomes)).map((outcome) => outcome.kind === 'answer' && outcome.message.fields[38])
  expect(codes).toEqual(['OK0001', 'OK0002', 'OK0003'])
  expect(link.waiting()).toBe(0)
})

// Columns: what the host sends instead of the answer, as fields that replace those of the request.
test.each([
  ['another trace number', { 11: '999999' }],
  ['another terminal', { 41: 'TERM0002' }],
  ['another time', { 7: '1120093001' }],
] as const)('an answer with %s is not taken for the answer', async (_, fields) => {
  const { link, host, pass, events } = await readyLink()
  opened.push(link)
  const outcome = link.send(request('000001'))
  host.answer(await arrived(host, '000001'), fields)
  await vi.waitFor(() => expect(events).toContainEqual(unmatched('0110', fields)))
  await pass(limits.answerMs)
  expect(await outcome).toEqual({ kind: 'unknown' })
})

it('does not take an answer of another function for the answer', async () => {
  const { link, host, events, pass } = await readyLink()
  opened.push(link)
  const outcome = link.send(request('000001', '0420'))
  const { fields } = await arrived(host, '000001')
  host.send({ type: '0410', fields: { ...fields, 39: '00' } })
  await vi.waitFor(() => expect(events).toContainEqual(unmatched('0410')))
  host.send({ type: '0430', fields: { ...fields, 39: '00' } })
  expect((await outcome).kind).toBe('answer')
  await pass(limits.echoMs)
})

test('a request is unknown after the time for an answer, and its late answer is unmatched', async () => {
  const { link, host, pass, events } = await readyLink()
  opened.push(link)
  const outcome = link.send(request('000001'))
  const late = await arrived(host, '000001')
  await pass(limits.answerMs)
  expect(await outcome).toEqual({ kind: 'unknown' })
  host.answer(late)
  await vi.waitFor(() => expect(events).toContainEqual(unmatched('0110')))
})

test('requests are unknown if the connection is lost, then not sent, and a new connection is opened', async () => {
  const { link, host, hosts, pass, events } = await readyLink()
  opened.push(link)
  const outcome = link.send(request('000001'))
  await arrived(host, '000001')
  host.end()
  expect(await outcome).toEqual({ kind: 'unknown' })
  expect(await link.send(request('000002'))).toEqual({ kind: 'notSent', reason: 'the link is down' })
  expect(events.at(-1)).toEqual({ kind: 'lost', reason: 'the host closed the connection' })
  await pass(1_000)
  await vi.waitFor(() => expect(link.isReady()).toBe(true))
  expect(hosts).toHaveLength(2)
})

test('the waits between connections grow until a sign-on is accepted', async () => {
  const { link, host, pass, refuse, events, waits } = await readyLink()
  opened.push(link)
  await pass(limits.stableMs)
  refuse(3)
  host.end()
  for (const ms of [100, 1_000, 2_000, 5_000]) await pass(ms)
  await vi.waitFor(() => expect(link.isReady()).toBe(true))
  expect(events.findLast(({ kind }) => kind === 'lost')).toEqual({ kind: 'lost', reason: 'ECONNREFUSED' })
  expect(waits.map(({ ms }) => ms)).toEqual([limits.stableMs, limits.echoMs])
})

test('the waits also grow while the host accepts each sign-on and closes the connection at once', async () => {
  const { link, hosts, pass } = await readyLink()
  opened.push(link)
  for (const [index, ms] of [1_000, 2_000, 5_000].entries()) {
    hosts[index]?.end()
    await pass(ms)
    await vi.waitFor(() => expect(link.isReady()).toBe(true))
  }
})

// Columns: what makes the connection stable.
test.each<[string, (parts: Awaited<ReturnType<typeof readyLink>>) => Promise<unknown>]>([
  ['its age', ({ pass }) => pass(limits.stableMs)],
  [
    'an answer',
    async ({ link, host }) => {
      const outcome = link.send(request('000001'))
      host.answer(await arrived(host, '000001'))
      await outcome
    },
  ],
])('a connection that is stable by %s is opened again after the shortest wait', async (_, makeStable) => {
  const parts = await readyLink()
  opened.push(parts.link)
  await makeStable(parts)
  parts.host.end()
  await parts.pass(100)
  await vi.waitFor(() => expect(parts.link.isReady()).toBe(true))
})

test('a link is down if the host refuses the sign-on, for which a test waits', async () => {
  const { link, events, pass } = await setUp({ signOn: '91' })
  opened.push(link)
  expect(await link.test()).toBe('the host refused the network message 001')
  await pass(1_000)
  expect(link.isReady()).toBe(false)
  expect(events[0]).toEqual({ kind: 'lost', reason: 'the host refused the network message 001' })
})

test('an idle connection is checked by an echo, and is lost if the host does not answer', async () => {
  const { link, host, pass, events } = await readyLink()
  opened.push(link)
  await pass(limits.echoMs)
  const echo = await vi.waitFor(() => {
    const message = host.received.find(({ fields }) => fields[70] === '301')
    if (!message) throw new Error('no echo')
    return message
  })
  host.answer(echo)
  await pass(limits.echoMs)
  await pass(limits.networkAnswerMs)
  await vi.waitFor(() =>
    expect(events.at(-1)).toEqual({ kind: 'lost', reason: 'the host did not answer the network message 301' }),
  )
})

test('a silent connection is checked by an echo as soon as a request got no answer', async () => {
  const { link, host, pass, events } = await readyLink()
  opened.push(link)
  const outcome = link.send(request('000001'))
  await arrived(host, '000001')
  await pass(limits.answerMs)
  expect(await outcome).toEqual({ kind: 'unknown' })
  await vi.waitFor(() => expect(host.received.at(-1)?.fields[70]).toBe('301'))
  await pass(limits.networkAnswerMs)
  await vi.waitFor(() =>
    expect(events.at(-1)).toEqual({ kind: 'lost', reason: 'the host did not answer the network message 301' }),
  )
})

test.each([
  ['an invalid frame', Uint8Array.of(0xff, 0xff), 'must be at most 9999 bytes'],
  ['an invalid message', Uint8Array.of(0, 2, 0x30, 0x31), 'message type at byte 0: must not end after the message'],
] as const)('%s ends the connection', async (_, bytes, reason) => {
  const { link, host, events } = await readyLink()
  opened.push(link)
  host.sendBytes(bytes)
  await vi.waitFor(() => expect(events.at(-1)).toMatchObject({ kind: 'lost', reason: expect.stringContaining(reason) }))
})

test.each([
  ['301', true, undefined],
  ['002', false, { kind: 'signedOff' }],
  ['001', true, undefined],
  ['201', true, { kind: 'cutover' }],
] as const)('the network request %s of a host is answered', async (code, isReady, event) => {
  const { link, host, events } = await readyLink()
  opened.push(link)
  host.send({ type: '0800', fields: { 11: '777777', 70: code } })
  await vi.waitFor(() =>
    expect(host.received.at(-1)).toMatchObject({ type: '0810', fields: { 11: '777777', 39: '00' } }),
  )
  expect(link.isReady()).toBe(isReady)
  expect(events).toEqual([{ kind: 'ready' }, ...(event ? [event] : [])])
})

test('a link is ready again when the host signs on after it has signed off', async () => {
  const { link, host, events } = await readyLink()
  opened.push(link)
  host.send({ type: '0800', fields: { 11: '777777', 70: '002' } })
  await vi.waitFor(() => expect(link.isReady()).toBe(false))
  expect(await link.send(request('000001'))).toEqual({ kind: 'notSent', reason: 'the link is down' })
  host.send({ type: '0800', fields: { 11: '777778', 70: '001' } })
  await vi.waitFor(() => expect(events).toEqual([{ kind: 'ready' }, { kind: 'signedOff' }, { kind: 'ready' }]))
  expect(link.isReady()).toBe(true)
})

test('a link whose sign-on the host does not answer is not ready, also if the host signs on', async () => {
  const { link, hosts, pass } = await setUp({ signOn: SILENT })
  opened.push(link)
  const host = await vi.waitFor(() => hosts[0] ?? expect.fail('no connection'))
  host.send({ type: '0800', fields: { 11: '777777', 70: '001' } })
  await vi.waitFor(() => expect(host.received.map(({ type }) => type)).toContain('0810'))
  expect(link.isReady()).toBe(false)
  await pass(limits.networkAnswerMs)
})

test('a connection is ended if the host sends requests and does not read their answers', async () => {
  // No write completes.
  const stalled = new Duplex({ read: () => undefined, write: () => undefined })
  const { link, events } = await setUp({ connection: stalled })
  opened.push(link)
  const echo = encodeFrame('binary2', encodeMessage(ascii1987, { type: '0800', fields: { 11: '777777', 70: '301' } }))
  const echoes = Buffer.concat(Array.from({ length: 1_000 }, () => echo))
  for (let i = 0; i < 100 && events.length === 0; i++) {
    stalled.push(Buffer.from(echoes))
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(events).toEqual([{ kind: 'lost', reason: 'the host does not read the answers to its requests' }])
  expect(stalled.writableLength).toBeLessThan(limits.unsentBytesMax + 2 * echoes.length)
})

test('a second answer is unmatched', async () => {
  const { link, host, events } = await readyLink()
  opened.push(link)
  const outcome = link.send(request('000001'))
  const received = await arrived(host, '000001')
  for (let i = 0; i < 2; i++) host.answer(received)
  expect((await outcome).kind).toBe('answer')
  await vi.waitFor(() => expect(events).toContainEqual(unmatched('0110')))
})

test('the secrets of a message that no request waits for are erased', async () => {
  const { link, host, events, fromHost } = await readyLink()
  opened.push(link)
  host.send({ ...request('000001'), fields: { 2: Uint8Array.from(Buffer.from('4200000000000000')) } })
  await vi.waitFor(() => expect(events).toContainEqual({ kind: 'unmatched', type: '0100', matched: {} }))
  expect(fromHost.map(({ fields }) => fields[2])).toEqual([new Uint8Array(16)])
})

test('a closed link answers the requests that wait, signs off and is not opened again', async () => {
  const { link, host, hosts, events } = await readyLink()
  const outcome = link.send(request('000001'))
  const received = await arrived(host, '000001')
  const closed = link.close()
  host.answer(received)
  expect((await outcome).kind).toBe('answer')
  await closed
  expect(host.received.at(-1)?.fields[70]).toBe('002')
  expect(hosts).toHaveLength(1)
  expect(events).toEqual([{ kind: 'ready' }])
})

test('a request with the trace number of a waiting request is not sent', async () => {
  const { link, host } = await readyLink()
  opened.push(link)
  const first = link.send(request('000001'))
  const reason = 'a request with the same trace number waits for an answer'
  expect(await link.send(request('000001'))).toEqual({ kind: 'notSent', reason })
  host.answer(await arrived(host, '000001'))
  await first
})

test('a repeat is sent while its first message waits, and both get the answer', async () => {
  const { link, host, pass } = await readyLink()
  opened.push(link)
  const first = link.send(request('000001', '0420'))
  await arrived(host, '000001')
  const repeats = [link.send(request('000001', '0421')), link.send(request('000001', '0421'))]
  await vi.waitFor(() => expect(host.received.filter(({ type }) => type === '0421')).toHaveLength(2))
  await pass(limits.answerMs)
  expect(await first).toEqual({ kind: 'unknown' })
  host.answer(await arrived(host, '000001'))
  expect(await Promise.all(repeats)).toMatchObject([{ message: { type: '0430' } }, { message: { type: '0430' } }])
})

test('a test is an echo; without an answer it fails, and while the link is down it has the reason', async () => {
  const { link, host, pass } = await readyLink()
  const echoes = () => host.received.filter(({ fields }) => fields[70] === '301')
  for (const [count, code, reason] of [
    [1, '00', undefined],
    [2, '91', 'the host refused the network message 301'],
  ] as const) {
    const tested = link.test()
    await vi.waitFor(() => expect(echoes()).toHaveLength(count))
    for (const echo of echoes()) host.answer(echo, { 39: code })
    expect(await tested).toBe(reason)
  }
  const unanswered = link.test()
  await pass(limits.networkAnswerMs)
  expect(await unanswered).toBe('the host did not answer the network message 301')
  host.end()
  await vi.waitFor(() => expect(link.isReady()).toBe(false))
  expect(await link.test()).toMatch(/^(ECONNRESET|the host closed the connection)$/)
})
