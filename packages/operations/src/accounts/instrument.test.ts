import { expect, test } from 'vitest'
import type { PendingUnit, RemoteRequest } from '../pending-unit.ts'
import { maskedAccount } from '../records/masked-account.ts'
import { releaseAfter, type UsableInstrument } from './instrument.ts'

const answer = { status: 200, code: '000.100.110', body: '' } as const
const remoteRequest: RemoteRequest = {
  send: async () => async () => ({ answer }),
  scheduleReversal: async () => undefined,
  release: () => undefined,
}

const releasable = () => {
  const state = { isReleased: false }
  const instrument: UsableInstrument = {
    kind: 'usable',
    account: 'card',
    brand: 'VISA',
    brandResult: undefined,
    number: undefined,
    cvv: undefined,
    masked: maskedAccount({}),
    registrationId: undefined,
    release: () => void (state.isReleased = true),
  }
  return { instrument, state }
}

test.each<{ state: string; unit: PendingUnit; isReleased: boolean }>([
  { state: 'released after a unit that is complete', unit: { answer }, isReleased: true },
  { state: 'kept for a remote request', unit: { answer, remoteRequest }, isReleased: false },
])('the instrument is $state', async ({ unit, isReleased }) => {
  const { instrument, state } = releasable()
  expect(await releaseAfter(instrument, Promise.resolve(unit))).toBe(unit)
  expect(state).toEqual({ isReleased })
})

test('the instrument is released after an error', async () => {
  const { instrument, state } = releasable()
  await expect(releaseAfter(instrument, Promise.reject(new Error('storage is closed')))).rejects.toThrow('closed')
  expect(state).toEqual({ isReleased: true })
})
