import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { DAY_MS } from '@tollgate/contract'
import { DatabaseSync } from '@photostructure/sqlite'
import { sandboxIds } from '@tollgate/gateway'
import { afterEach, expect, test } from 'vitest'
import { type Answer, bodyOf, inParallel } from '../support/http.ts'
import { manage } from '../support/manage.ts'
import { cardPayment, type Form, post } from '../support/payments.ts'
import { cleanUp, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'
import { databaseName } from '../support/durability.ts'

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'
const roundCount = isLong ? 200 : 2
/** The maximum number of rounds: up to ten are added until a kill has interrupted the runs of one due time. */
const roundsMax = roundCount + 10

afterEach(cleanUp)

/**
 * The number of plans of each kind, all due at 06:00 every day. It is not a multiple of the number of concurrent runs,
 * so that `cutOff` also counts a kill between two groups of concurrent runs.
 */
const plansOfKind = 15
const kinds = {
  paid: { parameters: {}, code: '000.100.110', attempts: 1 },
  /** Insufficient funds, with the issuer's advice to retry after one hour. */
  declined: {
    parameters: { 'customParameters[forceAcquirerResponse]': '51', 'customParameters[forceMerchantAdviceCode]': '24' },
    code: '800.100.155',
    attempts: 5,
  },
} as const

test(`each charge of a plan and its retries are made once despite ${roundCount} or more kills`, async () => {
  const data = temporaryFolder()
  const file = join(data, databaseName)
  let gateway = await startGateway({ data })
  const firstDueMs = await createPlans(gateway)
  let cutOff = 0
  for (let round = 0; round < roundCount || (cutOff === 0 && round < roundsMax); round += 1) {
    await (round % 2 === 0 ? startFastForward(gateway, file) : startConcurrentRuns(gateway, file))
    await gateway.kill9()
    if (countOf(chargesIn(file)) % plansOfKind > 0) cutOff += 1
    gateway = await gateway.restart()
  }
  // At noon the last attempts of the day are over.
  const lastDueMs = await nextTimeOf(gateway, '06:00:00')
  await moveClockTo(gateway, lastDueMs + DAY_MS / 4)
  await gateway.stop()
  const days = (lastDueMs - firstDueMs) / DAY_MS + 1
  const charged = chargesIn(file)
  console.log(`kill -9: ${cutOff} kills during the runs of one due time, ${countOf(charged)} charges`)
  expect(charged).toEqual(expectedCharges(firstDueMs, days))
  expect(cutOff).toBeGreaterThan(0)
}, 7_200_000)

/** Starts a fast-forward, which makes the runs one after another, and returns after a random number of charges. */
async function startFastForward(gateway: GatewayProcess, file: string): Promise<void> {
  // The gateway is killed before it answers.
  manage(gateway, 'POST', '/clock', { advance: 'P20D' }).catch(() => undefined)
  await untilCharged(file, chargesIn(file), Math.ceil(Math.random() * 20 * plansOfKind))
}

/**
 * Moves the clock to just before a due time, at which the runs are concurrent, and returns after a random number of
 * charges.
 */
async function startConcurrentRuns(gateway: GatewayProcess, file: string): Promise<void> {
  await moveClockTo(gateway, (await nextTimeOf(gateway, '05:59:59')) + 500)
  await untilCharged(file, chargesIn(file), Math.ceil(Math.random() * plansOfKind))
}

/** Waits for a number of further charges. */
async function untilCharged(file: string, before: Charges, count: number): Promise<void> {
  while (countOf(chargesIn(file)) < countOf(before) + count) await setTimeout(10)
}

const moveClockTo = (gateway: GatewayProcess, atMs: number) =>
  manage(gateway, 'POST', '/clock', { to: new Date(atMs).toISOString() })

/** The next occurrence of a time of day on the gateway's clock, in epoch milliseconds. */
async function nextTimeOf(gateway: GatewayProcess, timeOfDay: string): Promise<number> {
  const { now } = await manage<{ readonly now: string }>(gateway, 'GET', '/clock')
  const today = Date.parse(`${now.slice(0, 10)}T${timeOfDay}Z`)
  return today > Date.parse(now) ? today : today + DAY_MS
}

/** Creates the plans of both kinds, each with its own registration, and returns their first due time. */
async function createPlans(gateway: GatewayProcess): Promise<number> {
  // No plan becomes due before all plans exist.
  await moveClockTo(gateway, await nextTimeOf(gateway, '12:00:00'))
  for (const [kind, { parameters }] of Object.entries(kinds)) {
    const numbers = Array.from({ length: plansOfKind }, (_, number) => number)
    await inParallel(numbers, plansOfKind, (number) => createPlan(gateway, `${kind}${number}`, parameters))
  }
  return nextTimeOf(gateway, '06:00:00')
}

const money: Form = { entityId: sandboxIds.channel, amount: '9.20', currency: 'EUR', paymentType: 'DB' }

async function createPlan(gateway: GatewayProcess, name: string, parameters: Form): Promise<void> {
  const agreement = {
    createRegistration: 'true',
    'standingInstruction.type': 'RECURRING',
    'standingInstruction.mode': 'INITIAL',
    'standingInstruction.source': 'CIT',
  }
  const registrationId = approvedBody(await gateway.pay(cardPayment(agreement)))['registrationId']
  const job = { 'job.name': name, 'job.expression': '0 0 6 * * ?' }
  const plan = { ...money, ...parameters, ...job, registrationId: String(registrationId) }
  approvedBody(await gateway.client.send(post('/scheduling/v1/schedules', plan)))
}

function approvedBody(answer: Answer) {
  expect(answer.status).toBe(200)
  return bodyOf(answer)
}

/** The number of charges by merchantTransactionId and result code. */
type Charges = ReadonlyMap<string, number>

const countOf = (charges: Charges): number => [...charges.values()].reduce((sum, times) => sum + times, 0)

/** The charges that the plans must have made if `days` daily due times have passed, from `firstDueMs` on. */
function expectedCharges(firstDueMs: number, days: number): Charges {
  const charges = new Map<string, number>()
  for (const [kind, { code, attempts }] of Object.entries(kinds)) {
    for (let number = 0; number < plansOfKind; number += 1) {
      for (let day = 0; day < days; day += 1) {
        const due = new Date(firstDueMs + day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')
        charges.set(`${kind}${number}-${due}060000 ${code}`, attempts)
      }
    }
  }
  return charges
}

/** The charges in the database file. */
function chargesIn(file: string): Charges {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows: { readonly name: string; readonly code: string; readonly times: number }[] = database
    .prepare(
      `SELECT merchant_transaction_id AS name, result_code AS code, count(*) AS times FROM payment_transaction
        WHERE type = 'DB' AND merchant_transaction_id IS NOT NULL GROUP BY name, code`,
    )
    .all()
  database.close()
  return new Map(rows.map(({ name, code, times }) => [`${name} ${code}`, times]))
}
