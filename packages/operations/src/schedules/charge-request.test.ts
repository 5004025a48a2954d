import { decodeForm, echoOf, sections } from '@tollgate/contract'
import { expect, test } from 'vitest'
import { onFileRequest } from '../parameters/account-request.ts'
import { systemHead } from '../system-head.ts'
import { chargeRequest } from './charge-request.ts'
import { testChannel } from '../testing/test-channel.ts'

const mark = { requestId: 'r', atMs: Date.UTC(2026, 4, 4, 3, 2, 1) }
const texts = ['Zoë & Søn', '100 %=+', 'true', '12.34', 'https://shop.example/?a=b&c=d', '2030-01-01']

/** The names of all payment parameters that are not secret, with two items of each list. */
const names = sections
  .filter(({ surface }) => surface === 'payment')
  .flatMap(({ rows }) => rows.filter(({ format, secret }) => format.kind !== 'header' && secret === undefined))
  .map(({ name }) => name.replace(/\[(?:name|key)\]$/, '[note]').replace('[brand]', '[VISA]'))
  .flatMap((name) => (name.includes('[n]') ? ['[0]', '[12]'].map((index) => name.replaceAll('[n]', index)) : [name]))
const plan = {
  ...Object.fromEntries(names.map((name, index) => [name, texts[index % texts.length] ?? ''])),
  amount: '9.20',
  currency: 'EUR',
  paymentType: 'DB',
  testMode: 'INTERNAL',
  'threeDSecure.currency': 'EUR',
  'standingInstruction.recurringType': 'SUBSCRIPTION',
  'standingInstruction.industryPractice': 'NO_SHOW',
  'standingInstruction.type': 'RECURRING',
  'standingInstruction.mode': 'REPEATED',
  'standingInstruction.source': 'MIT',
  'job.name': 'tea & “biscuits”',
}

test.each([
  { source: 'the name of the plan', prefix: 'tea & “biscuits”', settings: {} },
  {
    source: 'the id of the plan, if merchantTransactionIds must be unique',
    prefix: 'plan',
    settings: { uniqueMerchantTransactionId: true },
  },
])(
  'a charge whose merchantTransactionId begins with $source equals the same request as a form',
  ({ prefix, settings }) => {
    const channel = testChannel(settings)
    const record = { parameters: plan, timeZone: 'Europe/Berlin', madeAtMs: mark.atMs }
    const run = { planId: 'plan', registrationId: 'registration', record, runAtMs: mark.atMs }
    const charge = chargeRequest(mark, channel, run)
    const chargeParameters = Object.entries(plan).filter(
      ([parameter]) => !parameter.startsWith('job.') && parameter !== 'notificationUrl',
    )
    const form = decodeForm(
      Buffer.from(
        new URLSearchParams({
          ...Object.fromEntries(chargeParameters),
          entityId: 'c',
          merchantTransactionId: `${prefix}-20260504030201`,
        }).toString(),
      ),
    )
    const { sent, values, secrets } = form
    expect(values.size).toBeGreaterThan(400)
    expect([...charge.parameters.values]).toEqual([...values])
    expect(JSON.stringify(echoOf(charge.parameters))).toBe(JSON.stringify(echoOf(form)))
    const head = systemHead(mark, channel, { sent, values, secrets })
    expect(charge).toEqual(onFileRequest('payWithRegistration', head, 'registration'))
  },
)
