import type { AcquirerAccount } from '@tollgate/connectors'
import type { Secret } from '@tollgate/contract'
import { StorageError } from '@tollgate/storage'
import { describe, expect, test } from 'vitest'
import {
  acquirerWithReferences,
  approval,
  declined,
  noReversal,
  notSent,
  numberOf,
  unknown,
} from '../testing/acquirer-with-references.ts'

const isErased = (account: AcquirerAccount | undefined): boolean =>
  [account?.number, account?.cvv].every((secret) => secret?.use((bytes) => bytes.every((byte) => byte === 0)) ?? true)

const NUMBER = '4200000000000000'

const scene = await acquirerWithReferences()
const { storage, local, peer, pay, followUp, reverseTimeouts } = scene

describe('the number that the vault lends', () => {
  /** An approved preauthorisation; the accounts of later messages are lent. */
  async function preauthorised(): Promise<string> {
    const { id } = (await pay({ paymentType: 'PA' })).body
    scene.acquirer.accounts.length = 0
    return id
  }

  test.each([
    ['an approval', approval],
    ['a decline', () => declined],
    ['no answer', unknown],
    ['a request that was not sent', notSent],
    ['a failure of the connector', () => Promise.reject(new Error('the connector failed'))],
  ] as const)('for a capture is in its messages, and erased after %s', async (_, reply) => {
    const id = await preauthorised()
    scene.acquirer.reply = reply
    const numbers: unknown[] = []
    scene.acquirer.onMessage = async () => void numbers.push(numberOf(scene.acquirer.accounts.at(-1)))
    await followUp(id, 'CP', '10.00')
    expect(numbers.length).toBeGreaterThan(0)
    expect(new Set(numbers)).toEqual(new Set([NUMBER]))
    expect(scene.acquirer.accounts.every(isErased)).toBe(true)
    expect(scene.acquirer.accounts.map((account) => account?.cvv)).toEqual(numbers.map(() => undefined))
  })

  /** Records the numbers that the vault of a process decrypts. */
  function recordLent({ gateway }: typeof local) {
    const lent: Secret[] = []
    const { vault } = gateway
    const unseal: typeof vault.unseal = (...record) => {
      const number = vault.unseal(...record)
      lent.push(number)
      return number
    }
    Object.assign(gateway, { vault: { ...vault, unseal } })
    return { lent, restore: () => void Object.assign(gateway, { vault }) }
  }

  const areErased = (numbers: readonly Secret[]): readonly boolean[] =>
    numbers.map((number) => number.use((bytes) => bytes.every((byte) => byte === 0)))

  test.each([
    [
      'the references cannot be drawn',
      500,
      () => {
        const references = () => Promise.reject(new Error('no references'))
        const simulator = { ...local.gateway.acquirers.simulator, references }
        Object.assign(local.gateway.acquirers, { simulator })
      },
    ],
    [
      'the capture cannot be stored',
      503,
      () => {
        Object.assign(storage, { commit: () => Promise.reject(new StorageError('full', 'no space left')) })
      },
    ],
  ])('for a capture is erased if %s (HTTP status %i)', async (_, status, fail) => {
    const id = await preauthorised()
    const { lent, restore } = recordLent(local)
    fail()
    expect((await followUp(id, 'CP', '10.00')).status).toBe(status)
    restore()
    expect([areErased(lent), scene.acquirer.accounts]).toEqual([[true], []])
  })

  test.each([
    ['is acknowledged', () => ({ kind: 'reversed' }) as const],
    ['has no answer', noReversal],
    ['fails', () => Promise.reject(new Error('the connector failed'))],
  ] as const)('for a reversal is in its message, and erased after the reversal %s', async (_, reversal) => {
    scene.acquirer.reply = unknown
    scene.acquirer.reversal = noReversal
    await pay()
    const { lent, restore } = recordLent(peer)
    scene.acquirer.reversal = reversal
    await reverseTimeouts(0)
    restore()
    expect(scene.acquirer.reversed.map(({ number }) => number)).toEqual([NUMBER, NUMBER])
    expect(areErased(lent)).toEqual([true])
  })
})
