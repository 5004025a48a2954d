import { expect, test } from 'vitest'
import type { PendingUnit, RemoteRequest } from '../pending-unit.ts'
import { maskedAccount } from '../records/masked-account.ts'
import { decideAndRelease, type UsableInstrument } from './instrument.ts'

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
  expect(await decideAndRelease(instrument, () => unit)).toBe(unit)
  expect(state).toEqual({ isReleased })
})

const fail = () => {
  throw new Error('storage is closed')
}

test.each([
  { name: 'a rejection', decide: async () => fail() },
  { name: 'an error that is thrown before the first wait', decide: fail },
])('the instrument is released after $name', async ({ decide }) => {
  const { instrument, state } = releasableInstrument()
  await expect(decideAndRelease(instrument, decide)).rejects.toThrow('closed')
  expect(state).toEqual({ isReleased: true })
})
