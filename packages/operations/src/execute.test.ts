import { type CommitResult, openMemory, type Storage, type Unit } from '@tollgate/storage'
import { describe, expect, test } from 'vitest'
import { type Answer, createRenderer, type RequestMark } from './answer.ts'
import { createCommandHandler, type IdempotencyClaim } from './execute.ts'
import type { PendingUnit } from './pending-unit.ts'
import { limits } from './limits.ts'
import { newJob } from './records/new-job.ts'
import { accountRow } from '@tollgate/gateway/testing'

const render = createRenderer(`${'0'.repeat(40)}@2026-01-01 00:00:00 +0000`, 'f'.repeat(32))
let drawn = 0
const mark = (): RequestMark => ({ requestId: String((drawn += 1)).padStart(32, '0'), atMs: 0 })
const claimed = (id: string, fingerprint = 'same'): IdempotencyClaim => ({ id, merchant: 'm', fingerprint })

/** An answer that contains the number of its decision. */
const answer = (text: string): Answer => ({
  status: 200,
  code: '000.100.110',
  body: JSON.stringify({ id: text, result: { code: '000.100.110' } }),
})
const creates = (id: string): PendingUnit => ({
  answer: answer(id),
  expectedVersions: [{ id, merchant: 'm', version: 0 }],
})

const account = accountRow()

/** A storage with given results of the first commits. */
function scripted(results: CommitResult[], committed: Unit[] = []): Storage {
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
  const commands = createCommandHandler(scripted([], committed), render)
  expect(await commands.execute(mark(), undefined, async () => ({ answer: answer('read') }))).toEqual(answer('read'))
  expect(committed).toEqual([])
})

test('rows without an expected version are committed too', async () => {
  const committed: Unit[] = []
  const job = [newJob({ id: 'j', merchant: 'm', kind: 'k', subject_id: 's', due_at_ms: 0, created_at_ms: 0 })]
  await createCommandHandler(scripted([], committed), render).execute(mark(), undefined, async () => ({
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
  await createCommandHandler(storage, render).execute(mark(), undefined, async () => creates('a'))
  steps.push('answered')
  expect(steps).toEqual(['committed', 'answered'])
})

describe('after a version conflict', () => {
  test('a command is decided again, and the last decision is the answer', async () => {
    const commands = createCommandHandler(scripted([{ kind: 'stale' }, { kind: 'stale' }]), render)
    let decisions = 0
    const got = await commands.execute(mark(), undefined, async () => creates(`decision ${(decisions += 1)}`))
    expect([decisions, got]).toEqual([3, answer('decision 3')])
  })

  test('in every try a command is refused with 800.700.100', async () => {
    const stale = Array.from({ length: limits.commandTriesMax }, (): CommitResult => ({ kind: 'stale' }))
    const commands = createCommandHandler(scripted(stale), render)
    let decisions = 0
    const got = await commands.execute(mark(), undefined, async () => creates(`decision ${(decisions += 1)}`))
    expect([decisions, got.status, got.code]).toEqual([limits.commandTriesMax, 400, '800.700.100'])
  })

  test('a refusal by the second decision is the answer', async () => {
    const commands = createCommandHandler(scripted([{ kind: 'stale' }]), render)
    let decisions = 0
    const got = await commands.execute(mark(), undefined, async () => {
      decisions += 1
      return decisions === 1 ? creates('first') : { answer: answer('refused') }
    })
    expect(got).toEqual(answer('refused'))
  })
})

describe('with an idempotency key', () => {
  test('the answer is stored with the rows and replayed', async () => {
    const committed: Unit[] = []
    const commands = createCommandHandler(scripted([], committed), render)
    const first = await commands.execute(mark(), claimed('k'), async () => creates('a'))
    const again = await commands.execute(mark(), claimed('k'), async () => creates('b'))
    expect([first, again]).toEqual([answer('a'), answer('a')])
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
    await commands.execute(mark(), claimed('k'), async () => ({ answer: answer('a') }))
    expect(await commands.execute(mark(), claimed('k'), async () => ({ answer: answer('b') }))).toEqual(answer('a'))
  })

  test('concurrent requests are decided once', async () => {
    const commands = createCommandHandler(openMemory(), render)
    let decisions = 0
    const decide = async () => creates(`decision ${(decisions += 1)}`)
    const all = await Promise.all(Array.from({ length: 20 }, () => commands.execute(mark(), claimed('k'), decide)))
    expect([decisions, new Set(all.map(({ body }) => body)).size]).toEqual([1, 1])
  })

  test('a different request is refused: concurrently, later, and in another process', async () => {
    const memory = openMemory()
    const [here, there] = [createCommandHandler(memory, render), createCommandHandler(memory, render)]
    const [first, atOnce] = await Promise.all([
      here.execute(mark(), claimed('k'), async () => creates('a')),
      here.execute(mark(), claimed('k', 'other'), async () => creates('b')),
    ])
    const later = await here.execute(mark(), claimed('k', 'other'), async () => creates('c'))
    const elsewhere = await there.execute(mark(), claimed('k', 'other'), async () => creates('d'))
    expect([first.code, atOnce.code, later.code, elsewhere.code]).toEqual([
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
    const commands = createCommandHandler(scripted([{ kind: 'claimed', row }]), render)
    const got = await commands.execute(mark(), claimed('k'), async () => creates('ours'))
    expect(got).toEqual({ status: 400, code: '800.100.152', body: 'theirs' })
  })

  test('a decision that throws releases the key', async () => {
    const commands = createCommandHandler(openMemory(), render)
    const failing = commands.execute(mark(), claimed('k'), () => Promise.reject(new Error('lost')))
    await expect(failing).rejects.toThrow('lost')
    expect(await commands.execute(mark(), claimed('k'), async () => creates('a'))).toEqual(answer('a'))
  })
})

describe('a violated uniqueness constraint', () => {
  const key = (first: string) => ({
    id: 'k',
    merchant: 'm',
    transaction_id: first,
    created_at_ms: 0,
    expires_at_ms: null,
  })
  const constrained = (id: string): PendingUnit => ({
    ...creates(id),
    unique: {
      keys: [key(id)],
      onConflict: ({ transaction_id: first }) => creates(`${id}-after-${first}`),
    },
  })

  test('commits the alternative unit once, without the constraint', async () => {
    const committed: Unit[] = []
    const commands = createCommandHandler(scripted([], committed), render)
    const decisions: string[] = []
    const execute = (id: string) =>
      commands.execute(mark(), undefined, async () => {
        decisions.push(id)
        return constrained(id)
      })
    expect(await execute('a')).toEqual(answer('a'))
    expect(await execute('b')).toEqual(answer('b-after-a'))
    expect(decisions).toEqual(['a', 'b'])
    expect(committed.map(({ unique }) => unique?.length)).toEqual([1, 1, undefined])
  })

  test('stores the answer of the alternative unit under the idempotency key', async () => {
    const commands = createCommandHandler(openMemory(), render)
    await commands.execute(mark(), undefined, async () => constrained('a'))
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await commands.execute(mark(), claimed('i'), async () => constrained('b'))).toEqual(answer('b-after-a'))
    }
  })

  test('decides again after a version conflict of the alternative unit', async () => {
    const taken: CommitResult = { kind: 'taken', row: key('x') }
    const commands = createCommandHandler(scripted([taken, { kind: 'stale' }]), render)
    expect(await commands.execute(mark(), undefined, async () => constrained('a'))).toEqual(answer('a'))
  })
})

test('the end of all commands in flight is awaited by inFlightEnded', async () => {
  const commands = createCommandHandler(openMemory(), render)
  const steps: string[] = []
  const submitted = commands.execute(mark(), undefined, async () => {
    await new Promise((resolve) => void setImmediate(resolve))
    steps.push('decided')
    return creates('a')
  })
  const failed = commands.execute(mark(), undefined, () => Promise.reject(new Error('a defect')))
  await expect(failed).rejects.toThrow('a defect')
  await commands.inFlightEnded()
  steps.push('ended')
  expect(steps).toEqual(['decided', 'ended'])
  await submitted
})

test('a failed compare-and-set is decided again', async () => {
  const committed: Unit[] = []
  const compareAndSets = [{ table: 'account' as const, from: account, to: { ...account, holder: 'Jane Doe' } }]
  const commands = createCommandHandler(scripted([{ kind: 'stale' }, { kind: 'committed' }], committed), render)
  await commands.execute(mark(), undefined, async () => ({ answer: answer('a'), compareAndSets }))
  expect(committed.map((unit) => unit.compareAndSets)).toEqual([compareAndSets, compareAndSets])
})

describe('onAbandoned is called', () => {
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

  test.each<{ moment: string; results: CommitResult[]; onAbandoned: string[] }>([
    { moment: 'never after a commit', results: [], onAbandoned: [] },
    { moment: 'before each further decision', results: [stale, stale], onAbandoned: ['1', '2'] },
    {
      moment: 'if the idempotency key is claimed',
      results: [{ kind: 'claimed', row: claimedRow }],
      onAbandoned: ['1'],
    },
    {
      moment: 'after the last retry',
      results: Array.from({ length: limits.responseTriesMax }, () => stale),
      onAbandoned: Array.from({ length: limits.responseTriesMax }, (_, index) => String(index + 1)),
    },
  ])('$moment', async ({ results, onAbandoned }) => {
    const abandoned = new Set<string>()
    let decisions = 0
    await createCommandHandler(scripted(results), render).execute(mark(), claimed('k'), async () => {
      const decision = String((decisions += 1))
      expect(abandoned.size).toBe(decisions - 1)
      return { ...creates(decision), onAbandoned: () => void abandoned.add(decision) }
    })
    expect([...abandoned]).toEqual(onAbandoned)
  })

  test('if the disk is full', async () => {
    const storage = { ...openMemory(), commit: () => Promise.reject(new Error('full')) }
    const abandoned: string[] = []
    const failing = createCommandHandler(storage, render).execute(mark(), undefined, async () => ({
      ...creates('a'),
      onAbandoned: () => void abandoned.push('a'),
    }))
    await expect(failing).rejects.toThrow('full')
    expect(abandoned).toEqual(['a'])
  })
})
