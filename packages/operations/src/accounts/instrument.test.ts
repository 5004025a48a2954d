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

const releasableInstrument = () => {
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

test.each<{ name: string; unit: PendingUnit; isReleased: boolean }>([
  { name: 'released after a unit without a remote request', unit: { answer }, isReleased: true },
  { name: 'not released before a remote request', unit: { answer, remoteRequest }, isReleased: false },
])('the instrument is $name', async ({ unit, isReleased }) => {
  const { instrument, state } = releasableInstrument()
  expect(await releaseAfter(instrument, Promise.resolve(unit))).toBe(unit)
  expect(state).toEqual({ isReleased })
})

test('the instrument is released after an error', async () => {
  const { instrument, state } = releasableInstrument()
  await expect(releaseAfter(instrument, Promise.reject(new Error('storage is closed')))).rejects.toThrow('closed')
  expect(state).toEqual({ isReleased: true })
})
