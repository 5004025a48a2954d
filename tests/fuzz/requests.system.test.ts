import { HOUR_MS } from '@tollgate/contract'
import { afterEach, expect, test } from 'vitest'
import { bodyOf, inParallel, type Request } from '../support/http.ts'
import { cardPayment, post } from '../support/payments.ts'
import { cleanUp, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'
import { randomOf } from '../support/random.ts'
import { problemsOf } from '../support/openapi-problems.ts'
import type { ReferableIds } from './templates.ts'
import { generateRequest } from './generate.ts'

const isLongRun = process.env['TOLLGATE_TEST_LONG'] === '1'
/** The number of requests of a seed. Each seed has a gateway of its own. */
const requestCount = isLongRun ? 20_000 : 600
const seeds = seedsOf(process.env['TOLLGATE_TEST_SEED'], isLongRun ? 50 : 1)
/** The number of failures after which no further request is sent, because thousands may be alike. */
const failuresMax = 5
const shownCharsMax = 1500

/** The seed of the environment or, without it, `count` random seeds. */
function seedsOf(environmentSeed: string | undefined, count: number): readonly number[] {
  if (environmentSeed !== undefined) return [Number(environmentSeed)]
  return Array.from({ length: count }, () => Math.floor(Math.random() * 2 ** 31))
}

afterEach(cleanUp)

test.each(seeds)(
  `${requestCount} generated requests of seed %i receive answers that the OpenAPI document describes`,
  async (seed) => {
    const gateway = await startGateway({ data: temporaryFolder() })
    const ids = await createRecords(gateway)
    const statuses = new Map<number, number>()
    const failures: string[] = []
    const steps = Array.from({ length: requestCount }, (_, step) => step)
    await inParallel(steps, 32, async (step) => {
      if (failures.length >= failuresMax) return
      const request = generateRequest(randomOf(seed, step), ids)
      try {
        const answer = await gateway.client.send(request)
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        const problems = problemsOf(request, answer)
        if (problems.length > 0) failures.push(formatFailure(step, request, [...problems, answer.text]))
      } catch (error) {
        failures.push(formatFailure(step, request, [`no answer: ${String(error)}`]))
      }
    })
    const counts = [...statuses].toSorted(([a], [b]) => a - b)
    console.log(`seed ${seed}: ${counts.map(([status, count]) => `${count} times ${status}`).join(', ')}`)
    expect(failures.join('\n\n'), `replay with TOLLGATE_TEST_SEED=${seed}`).toBe('')
    expect(gateway.stderr()).toBe('')
    expect(await gateway.stop()).toEqual({ code: 0, signal: null })
  },
  HOUR_MS,
)

/** Creates the payments and registrations to which requests refer. */
async function createRecords(gateway: GatewayProcess): Promise<ReferableIds> {
  const { amount: _amount, currency: _currency, paymentType: _type, ...account } = cardPayment()
  const idsOf = (count: number, request: Request) =>
    Promise.all(Array.from({ length: count }, async () => bodyOf(await gateway.client.send(request)).id))
  return {
    payments: [
      ...(await idsOf(50, post('/v1/payments', cardPayment({ paymentType: 'PA' })))),
      ...(await idsOf(50, post('/v1/payments', cardPayment()))),
    ],
    registrations: await idsOf(300, post('/v1/registrations', account)),
  }
}

function formatFailure(step: number, request: Request, problems: readonly string[]): string {
  const { method, path, headers, body = '' } = request
  const lines = [`${method} ${path}`, JSON.stringify(headers), Buffer.from(body).toString('latin1'), ...problems]
  return [`request ${step}`, ...lines.map((line) => line.slice(0, shownCharsMax))].join('\n')
}
