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
import { databaseName } from '../support/promises.ts'

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'
const roundCount = isLong ? 200 : 2
/** A kill may miss the runs: the rounds go on until one hit them. */
const roundsMax = roundCount + 10

afterEach(cleanUp)

/** Plans of each kind, all due at 06:00 of every day; no multiple of the runs that are under way together. */
const plansOfKind = 15
const kinds = {
  paid: { forms: {}, code: '000.100.110', attempts: 1 },
  /** Not enough funds, and the issuer advises to come again after an hour. */
  declined: {
    forms: { 'customParameters[forceAcquirerResponse]': '51', 'customParameters[forceMerchantAdviceCode]': '24' },
    code: '800.100.155',
    attempts: 5,
  },
} as const

test(`${roundCount} times and more kill -9 while plans run: every due time is charged, and none twice`, async () => {
  const data = temporaryFolder()
  const file = join(data, databaseName)
  let gateway = await startGateway({ data })
  const first = await subscribeAll(gateway)
  let cutOff = 0
  for (let round = 0; round < roundCount || (cutOff === 0 && round < roundsMax); round += 1) {
    await (round % 2 === 0 ? whileForwarded(gateway, file) : onTheHour(gateway, file))
    await gateway.kill9()
    if (countOf(chargesIn(file)) % plansOfKind > 0) cutOff += 1
    gateway = await gateway.restart()
  }
  // At noon the day's last attempts are over.
  const last = await nextAt(gateway, '06:00:00')
  await goTo(gateway, last + DAY_MS / 4)
  await gateway.stop()
  const days = (last - first) / DAY_MS + 1
  const charged = chargesIn(file)
  console.log(`kill -9: ${cutOff} kills amid the runs of one time, ${countOf(charged)} charges`)
  expect(charged).toEqual(chargesOf(first, days))
  expect(cutOff).toBeGreaterThan(0)
}, 7_200_000)

/** Returns in the middle of a fast-forward, which makes one run after the other. */
async function whileForwarded(gateway: GatewayProcess, file: string): Promise<void> {
  // The answer does not matter.
  manage(gateway, 'POST', '/clock', { advance: 'P20D' }).catch(() => undefined)
  await chargesMade(file, chargesIn(file), Math.ceil(Math.random() * 20 * plansOfKind))
}

/** Returns in the middle of the runs that are due at one moment, which the world's clock reaches by itself. */
async function onTheHour(gateway: GatewayProcess, file: string): Promise<void> {
  await goTo(gateway, (await nextAt(gateway, '05:59:59')) + 500)
  await chargesMade(file, chargesIn(file), Math.ceil(Math.random() * plansOfKind))
}

/** Waits for so many charges more than there were. */
async function chargesMade(file: string, before: Charges, count: number): Promise<void> {
  while (countOf(chargesIn(file)) < countOf(before) + count) await setTimeout(10)
}

const goTo = (gateway: GatewayProcess, atMs: number) =>
  manage(gateway, 'POST', '/clock', { to: new Date(atMs).toISOString() })

/** The next time at which its clock shows a time of day, in epoch milliseconds. */
async function nextAt(gateway: GatewayProcess, timeOfDay: string): Promise<number> {
  const { now } = await manage<{ readonly now: string }>(gateway, 'GET', '/clock')
  const today = Date.parse(`${now.slice(0, 10)}T${timeOfDay}Z`)
  return today > Date.parse(now) ? today : today + DAY_MS
}

/** Plans of both kinds, each of a customer of its own; answers when they are due first. */
async function subscribeAll(gateway: GatewayProcess): Promise<number> {
  // Not due before all are there.
  await goTo(gateway, await nextAt(gateway, '12:00:00'))
  for (const [kind, { forms }] of Object.entries(kinds)) {
    const numbers = Array.from({ length: plansOfKind }, (_, number) => number)
    await inParallel(numbers, plansOfKind, (number) => subscribe(gateway, `${kind}${number}`, forms))
  }
  return nextAt(gateway, '06:00:00')
}

const money: Form = { entityId: sandboxIds.channel, amount: '9.20', currency: 'EUR', paymentType: 'DB' }

async function subscribe(gateway: GatewayProcess, name: string, forms: Form): Promise<void> {
  const agreement = {
    createRegistration: 'true',
    'standingInstruction.type': 'RECURRING',
    'standingInstruction.mode': 'INITIAL',
    'standingInstruction.source': 'CIT',
  }
  const registrationId = approved(await gateway.pay(cardPayment(agreement)))['registrationId']
  const job = { 'job.name': name, 'job.expression': '0 0 6 * * ?' }
  const plan = { ...money, ...forms, ...job, registrationId: String(registrationId) }
  approved(await gateway.client.send(post('/scheduling/v1/schedules', plan)))
}

function approved(answer: Answer) {
  expect(answer.status).toBe(200)
  return bodyOf(answer)
}

/** How often there is a charge, by the name of its run and its result. */
type Charges = ReadonlyMap<string, number>

const countOf = (charges: Charges): number => [...charges.values()].reduce((sum, times) => sum + times, 0)

/** What should be there. */
function chargesOf(first: number, days: number): Charges {
  const charges = new Map<string, number>()
  for (const [kind, { code, attempts }] of Object.entries(kinds)) {
    for (let number = 0; number < plansOfKind; number += 1) {
      for (let day = 0; day < days; day += 1) {
        const due = new Date(first + day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')
        charges.set(`${kind}${number}-${due}060000 ${code}`, attempts)
      }
    }
  }
  return charges
}

/** The file of a stopped gateway. */
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
