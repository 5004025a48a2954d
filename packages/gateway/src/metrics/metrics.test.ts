import { DAY_MS } from '@tollgate/contract'
import { openMemory } from '@tollgate/storage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { manageServer } from '../http/manage/server.ts'
import { routes } from '../http/public/routes.ts'
import { limits } from '../limits.ts'
import { sandboxIds } from '@tollgate/operations'
import { jobRow } from '../testing/job-row.ts'
import { cardPayment, FORM, type Parameters, type TestGateway, testGateway } from '../testing/test-gateway.ts'
import { type Receiver, subscribe } from '../testing/webhook-receiver.ts'
import { metrics } from './metrics.ts'

let tollgate: TestGateway
let operators: ReturnType<typeof manageServer>
const receivers: Receiver[] = []
beforeEach(() => open())
afterEach(close)

async function open(storage = openMemory()): Promise<void> {
  tollgate = await testGateway({ storage })
  operators = manageServer(tollgate.gateway)
}
async function close(): Promise<void> {
  await tollgate.gateway.jobs.stop()
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
  await operators.close()
  await tollgate.close()
}

const requestMetrics = (key = 'manage-sandbox') =>
  operators.inject({ method: 'GET', url: '/metrics', headers: { authorization: `Bearer ${key}` } })
const pay = (changes: Parameters = {}) => tollgate.send('POST', '/v1/payments', cardPayment(changes))

/** Parses a scrape as Prometheus does: the value of each series, and the type of each family. */
async function scrape() {
  const { statusCode, headers, body } = await requestMetrics()
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  const types = new Map<string, string>()
  const series = new Map<string, number>()
  expect(body.endsWith('\n')).toBe(true)
  for (const line of body.split('\n').filter((text) => text !== '')) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.*)$/.exec(line) ?? []
    if (keyword !== undefined) {
      if (keyword === 'TYPE') {
        expect([types.has(name), ['counter', 'gauge', 'histogram'].includes(rest)]).toEqual([false, true])
        types.set(name, rest)
      }
      continue
    }
    const sample = /^([a-zA-Z_:][\w:]*)(\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)+\})? (\S+)$/.exec(line)
    if (!sample) throw new Error(`not in the text format of Prometheus: ${line}`)
    const [, metric = '', labels = '', value = ''] = sample
    const family = types.has(metric) ? metric : metric.replace(/_(bucket|sum|count)$/, '')
    expect(types.get(family), line).toBeDefined()
    // Prometheus accepts NaN in upper and lower case. The delay of the event loop is NaN before its first sample.
    const isNumber = /^nan$/i.test(value) || Number.isFinite(Number(value))
    expect([series.has(metric + labels), isNumber], line).toEqual([false, true])
    series.set(metric + labels, Number(value))
  }
  const metricValue = (name: string, labels = '') => series.get(`${name}${labels}`)
  return { types, series, metricValue }
}

describe('metrics', () => {
  test('require the management key, and are not on the public listener', async () => {
    for (const key of ['', 'manage-sandboy']) expect((await requestMetrics(key)).statusCode).toBe(401)
    expect((await tollgate.request({ method: 'GET', url: '/metrics' })).status).toBe(404)
    expect((await requestMetrics()).statusCode).toBe(200)
  })

  test('are those of the table, with only its labels, and those of the process', async () => {
    await pay()
    const { types, series } = await scrape()
    for (const { name, type, labels } of metrics) {
      expect(types.get(name)).toBe(type)
      const lines = [...series.keys()].filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name}_`))
      for (const line of lines) {
        const used = Array.from(line.matchAll(/(\w+)="/g), ([, label]) => label).filter((label) => label !== 'le')
        expect(used, line).toEqual(labels.filter(() => used.length > 0))
      }
    }
    expect(series.get('process_resident_memory_bytes')).toBeGreaterThan(1e6)
    expect(types.has('nodejs_eventloop_lag_p99_seconds')).toBe(true)
  })

  test('count answers by operation, status class and result group, also without an operation', async () => {
    await pay()
    await pay()
    await pay({ 'customParameters[forceResultCode]': '800.100.151' })
    await pay({ 'customParameters[forceResultCode]': '800.100.152' })
    await pay({ amount: 'much' })
    await tollgate.request({ method: 'GET', url: '/nowhere' })
    const { metricValue, series } = await scrape()
    const requests = (labels: string) => metricValue('tollgate_requests_total', `{${labels}}`)
    expect(requests('operation="createPayment",http="2xx",result="success"')).toBe(2)
    expect(requests('operation="createPayment",http="4xx",result="bank"')).toBe(2)
    expect(requests('operation="createPayment",http="4xx",result="format"')).toBe(1)
    expect(requests('operation="none",http="4xx",result="format"')).toBe(1)
    expect([...series.keys()].filter((line) => line.startsWith('tollgate_requests_total'))).toHaveLength(4)
  })

  test('show the links and messages to an acquirer', async () => {
    const { counts, storage, ids } = tollgate.gateway
    counts.acquirerLinks.set('main', () => [true, false, true])
    counts.acquirerMessages.add('main', '0420', 'unanswered')
    counts.acquirerTimes.add('main', 80)
    const job = jobRow(ids.sequenced(), { kind: 'end-attempt', due_at_ms: tollgate.clock.nowMs + DAY_MS })
    await storage.commit({ id: ids.ordered(), expectedVersions: [], rows: { job: [job] } })
    const { metricValue } = await scrape()
    expect([
      metricValue('tollgate_acquirer_links', '{acquirer="main",state="ready"}'),
      metricValue('tollgate_acquirer_links', '{acquirer="main",state="down"}'),
      metricValue('tollgate_acquirer_messages_total', '{acquirer="main",type="0420",outcome="unanswered"}'),
      metricValue('tollgate_acquirer_answer_duration_seconds_count', '{acquirer="main"}'),
      metricValue('tollgate_acquirer_open_messages'),
    ]).toEqual([2, 1, 1, 1, 1])
  })

  test('have cumulative buckets', async () => {
    for (const ms of [0.5, 1, 1.01, 99, 99_999]) tollgate.gateway.counts.requestTimes.add('createPayment', ms)
    const { metricValue, series } = await scrape()
    const name = 'tollgate_request_duration_seconds'
    const bucket = (le: string) => metricValue(`${name}_bucket`, `{operation="createPayment",le="${le}"}`)
    expect(['0.001', '0.0025', '0.05', '0.1', '30', '+Inf'].map(bucket)).toEqual([2, 3, 3, 4, 4, 5])
    expect(metricValue(`${name}_count`, '{operation="createPayment"}')).toBe(5)
    expect(metricValue(`${name}_sum`, '{operation="createPayment"}')).toBeCloseTo(100.10051)
    const buckets = [...series.keys()].filter((line) => line.startsWith(`${name}_bucket`))
    expect(buckets).toHaveLength(limits.durationBoundsMs.length + 1)
  })

  test('count units of work and their batches', async () => {
    const before = await scrape()
    await pay()
    const after = await scrape()
    for (const name of ['tollgate_storage_units_total', 'tollgate_storage_batches_total']) {
      expect((after.metricValue(name) ?? 0) - (before.metricValue(name) ?? 0)).toBe(1)
    }
    expect(after.metricValue('tollgate_storage_queue_units')).toBe(0)
  })

  test('count rejected requests by reason', async () => {
    await tollgate.manage('PATCH', `/entities/${sandboxIds.merchant}`, { settings: { throttle: { createPayment: 1 } } })
    for (let count = 0; count < 3; count += 1) await pay()
    for (let count = 0; count < 61; count += 1) await requestMetrics('manage-sandboy')
    const { metricValue } = await scrape()
    const reasons = ['throttled', 'credentials', 'busy'].map((reason) =>
      metricValue('tollgate_turned_away_total', `{reason="${reason}"}`),
    )
    expect(reasons).toEqual([2, 1, undefined])
  })

  test('are served while the database is unavailable, and report the outage', async () => {
    expect((await scrape()).metricValue('tollgate_storage_reachable')).toBe(1)
    const memory = openMemory()
    let isReachable = true
    await close()
    const countDeadLettered = () =>
      isReachable ? memory.countDeadLettered(9) : Promise.reject(new Error('the database is unavailable'))
    await open({ ...memory, countDeadLettered, isReachable: () => isReachable })
    isReachable = false
    const { metricValue } = await scrape()
    expect([
      metricValue('tollgate_storage_reachable'),
      metricValue('tollgate_jobs_parked', '{kind="delivery"}'),
    ]).toEqual([0, undefined])
  })

  test('contain the expiry of the certificate', async () => {
    const name = 'tollgate_tls_certificate_expiry_timestamp_seconds'
    expect((await scrape()).metricValue(name)).toBeUndefined()
    await operators.close()
    const tls = {
      attach: () => undefined,
      reload: () => Promise.resolve(),
      covers: () => true,
      expiresAtMs: () => 1_800_000_000_000,
    }
    operators = manageServer({ ...tollgate.gateway, tls })
    expect((await scrape()).metricValue(name)).toBe(1_800_000_000)
  })

  test('count deliveries, due jobs, open breakers and dead-lettered jobs', async () => {
    const { receiver, id } = await subscribe(tollgate, { entityId: sandboxIds.channel })
    receivers.push(receiver)
    const { jobs, clock } = tollgate.gateway
    await pay()
    await jobs.fastForward(clock.now())
    receiver.answer = () => ({ status: 500 })
    for (let count = 0; count < 5; count += 1) await pay()
    await jobs.fastForward(clock.now())
    await pay()
    tollgate.clock.nowMs += 7_000
    const earlier = await scrape()
    const kind = '{kind="delivery"}'
    const attempts = (outcome: string) =>
      earlier.metricValue('tollgate_delivery_attempts_total', `{kind="delivery",outcome="${outcome}"}`)
    expect([attempts('delivered'), attempts('failed'), attempts('gone')]).toEqual([1, 5, undefined])
    expect(earlier.metricValue('tollgate_delivery_duration_seconds_count', kind)).toBe(6)
    expect(earlier.metricValue('tollgate_job_runs_total', '{kind="delivery",outcome="ended"}')).toBe(6)
    expect(earlier.metricValue('tollgate_webhook_breakers_open')).toBe(1)
    expect([
      earlier.metricValue('tollgate_jobs_due', kind),
      earlier.metricValue('tollgate_job_lag_seconds', kind),
    ]).toEqual([1, 7])
    expect(earlier.metricValue('tollgate_oldest_undelivered_seconds', kind)).toBe(7)
    expect(earlier.metricValue('tollgate_jobs_parked', kind)).toBe(0)

    receiver.answer = () => ({ status: 410 })
    await jobs.fastForward(clock.now() + DAY_MS)
    const later = await scrape()
    expect(later.metricValue('tollgate_delivery_attempts_total', '{kind="delivery",outcome="gone"}')).toBe(1)
    expect(later.metricValue('tollgate_jobs_parked', kind)).toBe(6)
    expect([
      later.metricValue('tollgate_jobs_due', kind),
      later.metricValue('tollgate_oldest_undelivered_seconds', kind),
    ]).toEqual([0, 0])
    expect([...later.series.keys()].filter((line) => line.includes(id))).toEqual([])
  })

  test('count jobs that threw, and warnings of expiring authorisations', async () => {
    const memory = openMemory()
    let isBroken = false
    await close()
    await open({ ...memory, treeOf: (id) => (isBroken ? Promise.reject(new Error('no disk')) : memory.treeOf(id)) })
    await pay({ paymentType: 'PA' })
    const { jobs, clock } = tollgate.gateway
    await jobs.fastForward(clock.now() + 6 * DAY_MS)
    isBroken = true
    await jobs.fastForward(clock.now() + DAY_MS)
    const { metricValue } = await scrape()
    expect(metricValue('tollgate_authorisation_warnings_total')).toBe(1)
    const runs = (outcome: string) =>
      metricValue('tollgate_job_runs_total', `{kind="end-authorisation",outcome="${outcome}"}`)
    expect([runs('ended'), runs('threw')]).toEqual([1, 1])
  })

  test('get no further series from values in requests', async () => {
    const authorization = 'Bearer unknown'
    const sendArbitrary = async (round: number) => {
      for (let number = 0; number < 100; number += 1) {
        const name = `${round}-${number}"\n\\{}`
        const url = `/v1/payments/${encodeURIComponent(name)}`
        await tollgate.request({ method: 'GET', url: `/${encodeURIComponent(name)}` })
        await tollgate.request({ method: 'POST', url, headers: { authorization, 'content-type': FORM }, payload: name })
        await tollgate.send('GET', url, { entityId: name })
        await tollgate.send('POST', url, { paymentType: name, [name]: name })
        await pay({ entityId: name, paymentBrand: name, 'customParameters[forceResultCode]': name })
      }
      return [...(await scrape()).series.keys()].filter((line) => line.startsWith('tollgate'))
    }
    const first = await sendArbitrary(1)
    expect(await sendArbitrary(2)).toEqual(first)
    const operations = new Set(first.flatMap((line) => /operation="([^"]*)"/.exec(line)?.[1] ?? []))
    for (const operation of operations) {
      expect(['none', ...routes.map((route) => route.operation)]).toContain(operation)
    }
  })
})
