import { type CommitResult, openMemory, type Storage, type Unit } from '@tollgate/storage'
import { describe, expect, test } from 'vitest'
import { type Answer, createRenderer, type RequestMark } from './answer.ts'
import { createCommandHandler, type IdempotencyClaim } from './command-handler.ts'
import type { PendingUnit } from './pending-unit.ts'
import { limits } from './limits.ts'
import { newJob } from './records/new-job.ts'
import { accountRow, transactionRow } from '@tollgate/gateway/testing'

const render = createRenderer(`${'0'.repeat(40)}@2026-01-01 00:00:00 +0000`, 'f'.repeat(32))
let requestCount = 0
const mark = (): RequestMark => ({ requestId: String((requestCount += 1)).padStart(32, '0'), atMs: 0 })
const claimOf = (id: string, fingerprint = 'same'): IdempotencyClaim => ({ id, merchant: 'm', fingerprint })

/** An answer with a text as its id. */
const answer = (text: string): Answer => ({
  status: 200,
  code: '000.100.110',
  body: JSON.stringify({ id: text, result: { code: '000.100.110' } }),
})
const unitFor = (id: string): PendingUnit => ({
  answer: answer(id),
  transaction: { row: transactionRow({ id, root_id: id }) },
})

const account = accountRow()

/** A storage whose first commits have the given results. */
function storageWithResults(results: CommitResult[], committed: Unit[] = []): Storage {
  const memory = openMemory()
  return {
    ...memory,
    async commit(unit) {
      committed.push(unit)
      return results.shift() ?? memory.commit(unit)
    },
  }
}

test('an operation without changes is answered without a commit', async () => {
  const committed: Unit[] = []
  const commands = createCommandHandler(storageWithResults([], committed), render)
  expect(await commands.execute(mark(), undefined, async () => ({ answer: answer('read') }))).toEqual(answer('read'))
  expect(committed).toEqual([])
})

test('rows without an expected version are committed too', async () => {
  const committed: Unit[] = []
  const job = [newJob({ id: 'j', merchant: 'm', kind: 'k', subject_id: 's', due_at_ms: 0, created_at_ms: 0 })]
  await createCommandHandler(storageWithResults([], committed), render).execute(mark(), undefined, async () => ({
    answer: answer('a'),
    rows: { job },
  }))
  expect(committed.map(({ rows }) => rows.job)).toEqual([job])
})

test('the answer is returned after the commit', async () => {
  const memory = openMemory()
  const steps: string[] = []
  const storage: Storage = {
    ...memory,
    async commit(unit) {
      await new Promise((resolve) => void setImmediate(resolve))
      steps.push('committed')
      return memory.commit(unit)
    },
  }
  await createCommandHandler(storage, render).execute(mark(), undefined, async () => unitFor('a'))
  steps.push('answered')
  expect(steps).toEqual(['committed', 'answered'])
})

describe('after a version conflict', () => {
  test('a command is decided again, and the last decision is the answer', async () => {
    const commands = createCommandHandler(storageWithResults([{ kind: 'stale' }, { kind: 'stale' }]), render)
    let decisions = 0
    const result = await commands.execute(mark(), undefined, async () => unitFor(`decision ${(decisions += 1)}`))
    expect([decisions, result]).toEqual([3, answer('decision 3')])
  })

  test('a command is refused with 800.700.100 if every try had a conflict', async () => {
    const stale = Array.from({ length: limits.commandTriesMax }, (): CommitResult => ({ kind: 'stale' }))
    const commands = createCommandHandler(storageWithResults(stale), render)
    let decisions = 0
    const result = await commands.execute(mark(), undefined, async () => unitFor(`decision ${(decisions += 1)}`))
    expect([decisions, result.status, result.code]).toEqual([limits.commandTriesMax, 400, '800.700.100'])
  })

  test('a refusal by the second decision is the answer', async () => {
    const commands = createCommandHandler(storageWithResults([{ kind: 'stale' }]), render)
    let decisions = 0
    const result = await commands.execute(mark(), undefined, async () => {
      decisions += 1
      return decisions === 1 ? unitFor('first') : { answer: answer('refused') }
    })
    expect(result).toEqual(answer('refused'))
  })
})

describe('with an idempotency key', () => {
  test('the answer is stored in the unit of work of the command, and replayed', async () => {
    const committed: Unit[] = []
    const commands = createCommandHandler(storageWithResults([], committed), render)
    const first = await commands.execute(mark(), claimOf('k'), async () => unitFor('a'))
    const replayed = await commands.execute(mark(), claimOf('k'), async () => unitFor('b'))
    expect([first, replayed]).toEqual([answer('a'), answer('a')])
    expect(committed).toHaveLength(1)
    expect(committed[0]?.claim).toEqual({
      id: 'k',
      merchant: 'm',
      fingerprint: 'same',
      http_status: 200,
      result_code: '000.100.110',
      answer: answer('a').body,
      created_at_ms: 0,
      expires_at_ms: limits.idempotencyKeyMs,
    })
  })

  test('the answer of an operation without changes is stored, too', async () => {
    const commands = createCommandHandler(openMemory(), render)
    await commands.execute(mark(), claimOf('k'), async () => ({ answer: answer('a') }))
    expect(await commands.execute(mark(), claimOf('k'), async () => ({ answer: answer('b') }))).toEqual(answer('a'))
  })

  test('concurrent requests are decided once', async () => {
    const commands = createCommandHandler(openMemory(), render)
    let decisions = 0
    const decide = async () => unitFor(`decision ${(decisions += 1)}`)
    const answers = await Promise.all(Array.from({ length: 20 }, () => commands.execute(mark(), claimOf('k'), decide)))
    expect([decisions, new Set(answers.map(({ body }) => body)).size]).toEqual([1, 1])
  })

  test('a different request is refused: concurrently, later, and in another process', async () => {
    const memory = openMemory()
    const [handler, otherProcess] = [createCommandHandler(memory, render), createCommandHandler(memory, render)]
    const [first, concurrent] = await Promise.all([
      handler.execute(mark(), claimOf('k'), async () => unitFor('a')),
      handler.execute(mark(), claimOf('k', 'other'), async () => unitFor('b')),
    ])
    const later = await handler.execute(mark(), claimOf('k', 'other'), async () => unitFor('c'))
    const inOtherProcess = await otherProcess.execute(mark(), claimOf('k', 'other'), async () => unitFor('d'))
    expect([first.code, concurrent.code, later.code, inOtherProcess.code]).toEqual([
      '000.100.110',
      '200.300.404',
      '200.300.404',
      '200.300.404',
    ])
  })

  test('the answer of another process that claimed the key first is returned', async () => {
    const row = {
      id: 'k',
      merchant: 'm',
      fingerprint: 'same',
      http_status: 400,
      result_code: '800.100.152',
      answer: 'theirs',
      created_at_ms: 0,
      expires_at_ms: 1,
    }
    const commands = createCommandHandler(storageWithResults([{ kind: 'claimed', row }]), render)
    const result = await commands.execute(mark(), claimOf('k'), async () => unitFor('ours'))
    expect(result).toEqual({ status: 400, code: '800.100.152', body: 'theirs' })
  })

  test('a decision that throws releases the key', async () => {
    const commands = createCommandHandler(openMemory(), render)
    const failing = commands.execute(mark(), claimOf('k'), () => Promise.reject(new Error('lost')))
    await expect(failing).rejects.toThrow('lost')
    expect(await commands.execute(mark(), claimOf('k'), async () => unitFor('a'))).toEqual(answer('a'))
  })
})

describe('a violated uniqueness constraint', () => {
  const key = (transactionId: string) => ({
    id: 'k',
    merchant: 'm',
    transaction_id: transactionId,
    created_at_ms: 0,
    expires_at_ms: null,
  })
  const unitWithConstraint = (id: string): PendingUnit => ({
    ...unitFor(id),
    unique: {
      keys: [key(id)],
      onConflict: ({ transaction_id: first }) => unitFor(`${id}-after-${first}`),
    },
  })

  test('commits the alternative unit once, without the constraint', async () => {
    const committed: Unit[] = []
    const commands = createCommandHandler(storageWithResults([], committed), render)
    const decisions: string[] = []
    const execute = (id: string) =>
      commands.execute(mark(), undefined, async () => {
        decisions.push(id)
        return unitWithConstraint(id)
      })
    expect(await execute('a')).toEqual(answer('a'))
    expect(await execute('b')).toEqual(answer('b-after-a'))
    expect(decisions).toEqual(['a', 'b'])
    expect(committed.map(({ unique }) => unique?.length)).toEqual([1, 1, undefined])
  })

  test('stores the answer of the alternative unit under the idempotency key', async () => {
    const commands = createCommandHandler(openMemory(), render)
    await commands.execute(mark(), undefined, async () => unitWithConstraint('a'))
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await commands.execute(mark(), claimOf('i'), async () => unitWithConstraint('b'))).toEqual(
        answer('b-after-a'),
      )
    }
  })

  test('decides again after a version conflict of the alternative unit', async () => {
    const conflict: CommitResult = { kind: 'conflict', row: key('x') }
    const commands = createCommandHandler(storageWithResults([conflict, { kind: 'stale' }]), render)
    expect(await commands.execute(mark(), undefined, async () => unitWithConstraint('a'))).toEqual(answer('a'))
  })
})

test('inFlightEnded resolves after all commands in flight have ended', async () => {
  const commands = createCommandHandler(openMemory(), render)
  const steps: string[] = []
  const command = commands.execute(mark(), undefined, async () => {
    await new Promise((resolve) => void setImmediate(resolve))
    steps.push('decided')
    return unitFor('a')
  })
  const failed = commands.execute(mark(), undefined, () => Promise.reject(new Error('a defect')))
  await expect(failed).rejects.toThrow('a defect')
  await commands.inFlightEnded()
  steps.push('ended')
  expect(steps).toEqual(['decided', 'ended'])
  await command
})

test('a command is decided again after a failed compare-and-set', async () => {
  const committed: Unit[] = []
  const compareAndSets = [{ table: 'account' as const, from: account, to: { ...account, holder: 'Jane Doe' } }]
  const commands = createCommandHandler(
    storageWithResults([{ kind: 'stale' }, { kind: 'committed' }], committed),
    render,
  )
  await commands.execute(mark(), undefined, async () => ({ answer: answer('a'), compareAndSets }))
  expect(committed.map((unit) => unit.compareAndSets)).toEqual([compareAndSets, compareAndSets])
})

describe('onAbandoned', () => {
  const claimedRow = {
    id: 'k',
    merchant: 'm',
    fingerprint: 'same',
    http_status: 200,
    result_code: '000.100.110',
    answer: '',
    created_at_ms: 0,
    expires_at_ms: 1,
  }
  const stale: CommitResult = { kind: 'stale' }

  test.each<{ title: string; results: CommitResult[]; abandonedDecisions: string[] }>([
    { title: 'is not called after a commit', results: [], abandonedDecisions: [] },
    { title: 'is called before each further decision', results: [stale, stale], abandonedDecisions: ['1', '2'] },
    {
      title: 'is called if the idempotency key is claimed',
      results: [{ kind: 'claimed', row: claimedRow }],
      abandonedDecisions: ['1'],
    },
    {
      title: 'is called after each try, including the last',
      results: Array.from({ length: limits.commandTriesMax }, () => stale),
      abandonedDecisions: Array.from({ length: limits.commandTriesMax }, (_, index) => String(index + 1)),
    },
  ])('$title', async ({ results, abandonedDecisions }) => {
    const abandoned = new Set<string>()
    let decisions = 0
    await createCommandHandler(storageWithResults(results), render).execute(mark(), claimOf('k'), async () => {
      const decision = String((decisions += 1))
      expect(abandoned.size).toBe(decisions - 1)
      return { ...unitFor(decision), onAbandoned: () => void abandoned.add(decision) }
    })
    expect([...abandoned]).toEqual(abandonedDecisions)
  })

  test('is called if the commit throws', async () => {
    const storage = { ...openMemory(), commit: () => Promise.reject(new Error('full')) }
    const abandoned: string[] = []
    const failing = createCommandHandler(storage, render).execute(mark(), undefined, async () => ({
      ...unitFor('a'),
      onAbandoned: () => void abandoned.push('a'),
    }))
    await expect(failing).rejects.toThrow('full')
    expect(abandoned).toEqual(['a'])
  })
})
