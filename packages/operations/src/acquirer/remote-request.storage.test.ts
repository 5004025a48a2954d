import { describe, expect, test } from 'vitest'
import { summary } from '@tollgate/gateway/testing'
import { limits } from '../limits.ts'
import { shreddedAccount } from '../records/account-record.ts'
import {
  acquirerWithReferences,
  declined,
  noReversal,
  type Reply,
  unknown,
} from '../testing/acquirer-with-references.ts'

const scene = await acquirerWithReferences()
const { storage, local, pay, followUp, codeOf, reversalJobs, reverseTimeouts } = scene

const attemptsOf = async (id: string) =>
  (await storage.acquirerAttempts(id)).map(({ kind, sent_as: sentAs, outcome }) => [kind, sentAs, outcome])

describe('a message that the acquirer rejects', () => {
  const reason = 'the acquirer answered 30 (Format error)'
  const rejection = () => ({ status: 'rejected', reason }) as const

  /** The dead-lettered jobs, as an operator reads them. */
  async function deadLettered(): Promise<unknown> {
    const { body } = await local.manage('GET', '/jobs/parked')
    return body.jobs.map(({ kind, subjectId, lastError }: Readonly<Record<string, unknown>>) => [
      kind,
      subjectId,
      lastError,
    ])
  }

  test('is repeated by the job a few times, then waits for an operator with the reason', async () => {
    const { id } = (await pay({ paymentType: 'PA' })).body
    scene.acquirer.reply = rejection
    const capture = await followUp(id, 'CP', '10.00')
    expect(summary(capture)).toEqual([400, '900.100.300'])
    expect(scene.acquirer.reversed).toEqual([])
    scene.acquirer.reversal = () => ({ kind: 'rejected', reason })
    const [first, second] = limits.timeoutReversalWaitsMs
    for (const waitMs of [0, first, second]) {
      expect(await deadLettered()).toEqual([])
      expect(await reverseTimeouts(waitMs)).toEqual([reason])
    }
    expect(scene.acquirer.reversed).toHaveLength(limits.rejectedMessagesMax)
    expect(await deadLettered()).toEqual([['end-attempt', capture.body.id, reason]])
    expect(await codeOf(capture.body.id)).toBe('900.100.300')
    // After the repair the operator retries the job.
    scene.acquirer.reversal = () => ({ kind: 'done', answer: { ...declined, status: 'approved', code: '000.100.110' } })
    const { body } = await local.manage('GET', '/jobs/parked')
    expect((await local.manage('POST', `/jobs/${body.jobs[0].id}/retry`)).status).toBe(200)
    expect(await reverseTimeouts(0)).toEqual(['000.100.110'])
  })

  test('is repeated as often after attempts without an answer, which are no rejections', async () => {
    const { id } = (await pay({ paymentType: 'PA' })).body
    scene.acquirer.reply = rejection
    const capture = await followUp(id, 'CP', '10.00')
    const waits = limits.timeoutReversalWaitsMs
    scene.acquirer.reversal = noReversal
    for (const waitMs of [0, ...waits]) expect(await reverseTimeouts(waitMs)).toEqual(['the acquirer does not answer'])
    scene.acquirer.reversal = () => ({ kind: 'rejected', reason })
    // After the first rejection the waits begin anew, after the second one.
    for (const waitMs of [waits.at(-1), waits.at(-1), waits[1]]) {
      expect(await deadLettered()).toEqual([])
      expect(await reverseTimeouts(waitMs ?? 0)).toEqual([reason])
    }
    expect(await deadLettered()).toEqual([['end-attempt', capture.body.id, reason]])
    scene.acquirer.reversal = () => ({ kind: 'done', answer: { ...declined, status: 'approved', code: '000.100.110' } })
    const { body } = await local.manage('GET', '/jobs/parked')
    await local.manage('POST', `/jobs/${body.jobs[0].id}/retry`)
    expect(await reverseTimeouts(0)).toEqual(['000.100.110'])
  })

  test('is kept at once, and not sent, if its account number was erased', async () => {
    scene.acquirer.reply = unknown
    scene.acquirer.reversal = noReversal
    const { id } = (await pay()).body
    const account = (await storage.account(id)) ?? expect.fail('there is no account')
    const compareAndSets = [{ table: 'account' as const, from: account, to: shreddedAccount(account) }]
    await storage.commit({ id: local.gateway.ids.ordered(), expectedVersions: [], rows: {}, compareAndSets })
    const sent = scene.acquirer.reversed.length
    const erased = 'the account number was erased, and the acquirer takes no message without it'
    expect(await reverseTimeouts(0)).toEqual([erased])
    expect([scene.acquirer.reversed.length, await deadLettered()]).toEqual([sent, [['end-attempt', id, erased]]])
    // The job is left to no other test.
    const [job] = await storage.deadLetteredBefore('~', 1)
    if (job)
      await storage.commit({
        id,
        expectedVersions: [],
        rows: {},
        compareAndSets: [{ table: 'job', from: job, to: null }],
      })
  })
})

describe('an error while a message is sent', () => {
  const errors = () => local.logged.filter(({ operation }) => operation === 'send a message to an acquirer')

  test('is logged without its message, and the outcome is unknown', async () => {
    const before = errors().length
    scene.acquirer.reply = () => Promise.reject(new TypeError('card 4200000000000000'))
    expect(summary(await pay())).toEqual([400, '900.100.301'])
    expect(errors().slice(before)).toMatchObject([{ level: 'error', error: 'TypeError' }])
    expect(JSON.stringify(errors())).not.toContain('4200000000000000')
  })

  test('is logged also after the timeout', async () => {
    const before = errors().length
    let fail: () => void = () => expect.fail('nothing was sent')
    scene.acquirer.reply = () => new Promise<Reply>((_, reject) => (fail = () => reject(new RangeError('late'))))
    const answer = pay()
    await expect.poll(() => scene.acquirer.sent.length).toBe(1)
    await scene.time.pass()
    expect(summary(await answer)).toEqual([400, '900.100.301'])
    fail()
    await expect
      .poll(() =>
        errors()
          .slice(before)
          .map(({ error }) => error),
      )
      .toEqual(['RangeError'])
  })
})

test('a reversal is not sent once the gateway has stopped waiting, because the account is erased', async () => {
  scene.acquirer.reply = unknown
  let store: () => void = () => expect.fail('no attempt was stored')
  Object.assign(storage, {
    commit: async (unit: Parameters<typeof scene.commit>[0]) => {
      if (unit.rows.acquirer_attempt?.[0]?.kind === 'reversal') await new Promise<void>((resolve) => (store = resolve))
      return scene.commit(unit)
    },
  })
  const answer = pay()
  await expect.poll(() => scene.acquirer.reasons.length).toBe(1)
  await scene.time.pass()
  expect(summary(await answer)).toEqual([400, '900.100.300'])
  Object.assign(storage, { commit: scene.commit })
  store()
  await expect.poll(async () => (await attemptsOf(scene.acquirer.sent[0]?.request.transactionId ?? '')).length).toBe(2)
  expect(scene.acquirer.reversed).toEqual([])
})

describe('an answer that the gateway does not accept', () => {
  const toReverse = () => ({ status: 'toReverse', answer: declined }) as const

  test('is the result once its reversal is acknowledged', async () => {
    scene.acquirer.reply = toReverse
    const answer = await pay()
    expect(summary(answer)).toEqual([400, '800.100.155'])
    expect(scene.acquirer.reversed.map(({ attempt }) => attempt?.isRepeat)).toEqual([false])
    expect(await attemptsOf(answer.body.id)).toEqual([
      ['request', '{"n":1}', '10'],
      ['reversal', '{"n":2}', 'reversed'],
    ])
    expect(scene.acquirer.reasons).toEqual([{ sentAs: '{"n":1}', reason: 'partialApproval' }])
    expect(await reversalJobs()).toEqual([])
  })

  test('has an unknown outcome until then', async () => {
    scene.acquirer.reply = toReverse
    scene.acquirer.reversal = noReversal
    const answer = await pay()
    expect(summary(answer)).toEqual([400, '900.100.300'])
    scene.acquirer.reversal = () => ({ kind: 'reversed' })
    expect(await reverseTimeouts(0)).toEqual(['900.100.301'])
    expect(await codeOf(answer.body.id)).toBe('900.100.301')
  })

  test('is reversed again if it arrives after the timeout', async () => {
    let answerLate: (reply: Reply) => void = () => expect.fail('nothing was sent')
    scene.acquirer.reply = () => new Promise<Reply>((resolve) => (answerLate = resolve))
    const answer = pay()
    await expect.poll(() => scene.acquirer.sent.length).toBe(1)
    await scene.time.pass()
    expect(summary(await answer)).toEqual([400, '900.100.301'])
    answerLate(toReverse())
    await expect.poll(reversalJobs).toHaveLength(1)
    await reverseTimeouts(limits.timeoutReversalAfterMs)
    expect(scene.acquirer.reversed.map(({ attempt }) => attempt?.isRepeat)).toEqual([false, true])
  })
})
