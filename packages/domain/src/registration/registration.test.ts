import { describe, expect, it } from 'vitest'
import { deregister } from './deregister.ts'
import { createRegistration } from './registration.ts'
import { useRegistration } from './use-registration.ts'

const active = createRegistration({ id: 'a'.repeat(32), channel: 'channel', accountId: 'account', atMs: 1000 })
const deleted = { ...active, state: 'DELETED', deletedAtMs: 2000 } as const

describe('a registration', () => {
  it('begins active', () => {
    expect(active).toMatchObject({ state: 'ACTIVE', createdAtMs: 1000, deletedAtMs: null })
  })

  it('pays with its account', () => {
    expect(useRegistration(active, 'channel')).toEqual({ kind: 'go', accountId: 'account' })
  })

  it('ends once', () => {
    expect(deregister(active, 'channel', 2000)).toEqual({ kind: 'go', registration: deleted })
  })

  it.each([
    ['is not there', undefined, 'channel', { kind: 'unknown', code: '100.150.200' }],
    ['is of another channel', active, 'other', { kind: 'refused', code: '700.400.700' }],
    ['is deregistered', deleted, 'channel', { kind: 'refused', code: '100.150.202' }],
    ['is of another channel and deregistered', deleted, 'other', { kind: 'refused', code: '700.400.700' }],
  ])('that %s cannot pay', (_what, registration, channel, outcome) => {
    expect(useRegistration(registration, channel)).toMatchObject(outcome)
  })

  it.each([
    ['is not there', undefined, 'channel', { kind: 'unknown', code: '100.350.303' }],
    ['is of another channel', active, 'other', { kind: 'refused', code: '700.400.700' }],
    ['is deregistered', deleted, 'channel', { kind: 'refused', code: '100.150.202' }],
  ])('that %s cannot be deregistered', (_what, registration, channel, outcome) => {
    expect(deregister(registration, channel, 3000)).toMatchObject(outcome)
  })
})
