import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCardIndex } from './card.ts'
import { createHost } from './host.ts'
import { applyEntry, createHostState, type HostState, type JournalEntry } from './host-state.ts'
import { noJournal, type OpenedJournal, openJournal } from './journal.ts'
import { mastercard, reconciliation, testMessage, visa } from './testing/messages.ts'
import { TestHost, type TestStep } from './testing/test-host.ts'

const numRuns = process.env['TOLLGATE_TEST_LONG'] === '1' ? 5_000 : 150

let folder = ''
let file = ''
const opened: OpenedJournal[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-acquirer-'))
  file = join(folder, 'journal')
})

afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ journal }) => journal.close()))
  rmSync(folder, { recursive: true })
})

const random = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(7)

interface Replayed extends OpenedJournal {
  readonly entries: readonly JournalEntry[]
}

async function open(): Promise<Replayed> {
  const entries: JournalEntry[] = []
  const journal = await openJournal(file, random, (entry) => entries.push(entry))
  opened.push(journal)
  return { ...journal, entries }
}

const closeAll = (): Promise<unknown> => Promise.all(opened.splice(0).map(({ journal }) => journal.close()))

const entryOf = (atMs: number): JournalEntry => ({ atMs, changes: [{ kind: 'reverseEarly', reference: `r${atMs}` }] })

function replay(entries: readonly JournalEntry[]): HostState {
  const state = createHostState()
  for (const entry of entries) applyEntry(state, entry)
  return state
}

/** A step of a random conversation: any message about any of the first messages. */
const stepNames = ['a', 'b', 'c', 'd', 'e', 'f'] as const
const anyStep: fc.Arbitrary<TestStep & { readonly name: string }> = fc.record(
  {
    name: fc.constantFrom(...stepNames),
    type: fc.constantFrom('0100', '0101', '0200', '0220', '0221', '0400', '0420', '0421'),
    processing: fc.constantFrom('00', '00', '00', '20', '26', '30'),
    amount: fc.constantFrom(0, 1, 100, 5000, 9200, 1_000_051),
    card: fc.constantFrom(visa, visa, mastercard, '4999990000010006', '4999990000000106', '4999990000000056'),
    of: fc.constantFrom(...stepNames),
    network: fc.constantFrom(...stepNames),
    remaining: fc.constantFrom(0, 1, 50),
    data: fc.constantFrom<Record<string, string>>({ '07': '5' }, { '14': 'F' }, { '19': 'Y' }, { '01': '123' }),
    stan: fc.integer({ min: 1, max: 4 }),
  },
  { requiredKeys: ['name', 'type', 'amount', 'card'] },
)

describe('a journal', () => {
  test('replayed gives the same state as the conversation, which keeps its invariants', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 30 }), fc.boolean(), (steps, closes) => {
        const host = new TestHost()
        for (const { name, ...step } of steps) host.step(name, step)
        if (closes) host.send(reconciliation({ counts: [0, 0, 0, 0], amounts: [0, 0, 0, 0], net: 'C0' }))
        const stored: JournalEntry[] = JSON.parse(JSON.stringify(host.entries))
        expect(replay(stored)).toEqual(host.host.state)
        for (const row of host.host.state.transactions.values()) {
          if (row.kind !== 'authorisation' && row.kind !== 'sale') continue
          expect(row.capturedMinor).toBeLessThanOrEqual(row.authorisedMinor)
          expect(row.refundedMinor).toBeLessThanOrEqual(row.capturedMinor)
          for (const minor of [row.authorisedMinor, row.capturedMinor, row.refundedMinor, row.reversedMinor])
            expect(minor).toBeGreaterThanOrEqual(0)
        }
      }),
      { numRuns },
    )
  })

  test('keeps balances equal to the open and captured amounts', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 30 }), (steps) => {
        const host = new TestHost()
        for (const { name, ...step } of steps) host.step(name, { ...step, card: visa })
        const rows = [...host.host.state.transactions.values()]
        const spent = rows
          .filter(({ rootId }) => rootId === undefined)
          .map(({ kind, isFinal, authorisedMinor, capturedMinor, refundedMinor }) =>
            kind === 'refund' || kind === 'payout'
              ? -refundedMinor
              : (isFinal ? capturedMinor : authorisedMinor) - refundedMinor,
          )
          .reduce((sum, minor) => sum + minor, 0)
        expect(host.balances[0] ?? 100_000_000_000).toBe(100_000_000_000 - spent)
      }),
      { numRuns },
    )
  })

  test('has no card number, cvv or address', async () => {
    const { journal, key } = await open()
    const host = createHost({ now: () => 0 }, createCardIndex(key), createHostState(), journal)
    const data = { '01': '987', '03': 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=', '10': 'MAIN ST 1/80331' }
    const reply = host.handle(testMessage({ type: '0100', data }), { isSignedOn: true })
    await reply?.durable
    const content = readFileSync(file, 'utf8')
    for (const secret of [visa, '987', 'MTIz', 'MAIN ST']) expect(content).not.toContain(secret)
    expect(content).toContain('420000******0091')
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('is on disk when an append has resolved, in the order of the appends', async () => {
    const { journal } = await open()
    const times = Array.from({ length: 100 }, (_, index) => index)
    const appended = times.map((atMs) => journal.append(entryOf(atMs)))
    await appended[0]
    expect(readFileSync(file, 'utf8')).toContain('"atMs":0')
    await Promise.all(appended)
    await closeAll()
    const { entries } = await open()
    expect(entries).toEqual(times.map(entryOf))
  })

  test('keeps its key', async () => {
    const { key } = await open()
    await closeAll()
    const again = await openJournal(
      file,
      () => new Uint8Array(32),
      () => undefined,
    )
    opened.push(again)
    expect(again.key).toEqual(key)
  })

  test('drops a last line that was being written, at any byte', async () => {
    const { journal } = await open()
    await journal.append(entryOf(1))
    await journal.append(entryOf(2))
    await closeAll()
    const content = readFileSync(file)
    const second = content.lastIndexOf('\n', content.length - 2) + 1
    for (let length = second; length < content.length; length += 1) {
      writeFileSync(file, content.subarray(0, length))
      const reopened = await open()
      expect(reopened.entries).toEqual([entryOf(1)])
      await reopened.journal.append(entryOf(3))
      await closeAll()
      expect((await open()).entries).toEqual([entryOf(1), entryOf(3)])
      await closeAll()
    }
  })

  test('whose first line was being written is new', async () => {
    writeFileSync(file, '{"journal":"toll')
    const { entries } = await open()
    expect(entries).toEqual([])
    expect(readFileSync(file, 'utf8')).toMatch(/^\{"journal":"tollgate acquirer 2","key":"(07){32}"\}\n$/)
  })

  test.each([
    ['another file', 'hello\n', 'journal:1 is damaged. Remove the file to start with an empty state.'],
    [
      'a file of another kind',
      '{}\n',
      'is not a journal of this version of the simulated acquirer. Remove it, or name another file.',
    ],
  ])('refuses %s', async (_name, content, message) => {
    writeFileSync(file, content)
    await expect(open()).rejects.toThrow(message)
  })

  test('refuses a damaged line that is not the last', async () => {
    await open()
    await closeAll()
    appendFileSync(file, '{"atMs":\n{"atMs":1,"changes":[]}\n')
    await expect(open()).rejects.toThrow('journal:2 is damaged')
  })

  test('that fails rejects all later appends, and a flush', async () => {
    const { journal } = await open()
    await journal.close()
    opened.length = 0
    await expect(journal.append(entryOf(1))).rejects.toThrow()
    await expect(journal.append(entryOf(2))).rejects.toThrow()
    await expect(journal.flush()).rejects.toThrow()
  })
})

test('a host with a full journal declines everything but network messages', () => {
  const full = { ...noJournal, isFull: () => true }
  const host = createHost({ now: () => 0 }, createCardIndex(random(32)), createHostState(), full)
  const session = { isSignedOn: true }
  expect(host.handle(testMessage({ type: '0200' }), session)?.answer.fields[39]).toBe('96')
  expect(host.state.transactions.size).toBe(0)
})
