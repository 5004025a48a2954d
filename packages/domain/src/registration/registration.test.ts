import type { ResultCode } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import type { StandingInstruction } from '../card-on-file/instruction.ts'
import { afterPayment } from './after-payment.ts'
import { createRegistration } from './create-registration.ts'
import { deregister } from './deregister.ts'
import { withLastUse, expireRegistration } from './expire-registration.ts'
import { extendRegistration } from './extend-registration.ts'
import type { RegistrationSubject } from './guards.ts'
import { unknownRegistration } from './moves.ts'
import { type Registration, registrationState } from './registration.ts'
import { expiresAtMs } from './lifetime.ts'
import { updateRegistration } from './update-registration.ts'
import { useRegistration } from './use-registration.ts'

const day = (text: string) => Date.parse(`${text}T12:00:00Z`)
const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10)

const CREATED = day('2026-05-04')
const CARD_ENDS = day('2027-06-01')

const make = (changes: Partial<Parameters<typeof createRegistration>[0]> = {}): Registration =>
  createRegistration({
    id: 'a'.repeat(32),
    channel: 'channel',
    accountId: 'account',
    accountEndsAtMs: CARD_ENDS,
    verified: false,
    initialTransactionId: null,
    agreements: {},
    atMs: CREATED,
    ...changes,
  })

const active = make()
const deleted: Registration = { ...active, deletedAtMs: day('2026-06-01') }
const EXPIRES = day('2028-08-01')
const expired: Registration = { ...active, deletedAtMs: EXPIRES + 1 }
const at = (registration: Registration, text = '2026-07-01', channel = 'channel'): RegistrationSubject => ({
  registration,
  channel,
  atMs: day(text),
})

describe('a registration', () => {
  it('begins active, and expires fourteen months after its card has ended', () => {
    expect(active).toEqual({
      id: 'a'.repeat(32),
      channel: 'channel',
      accountId: 'account',
      createdAtMs: CREATED,
      expiresAtMs: EXPIRES,
      extendedAtMs: null,
      verifiedAtMs: null,
      initialTransactionId: null,
      agreements: {},
      deletedAtMs: null,
    })
    expect(make({ verified: true }).verifiedAtMs).toBe(CREATED)
  })

  it.each([
    { what: 'active', registration: active, atMs: EXPIRES - 1, state: 'ACTIVE' },
    { what: 'past its expiry', registration: active, atMs: EXPIRES, state: 'EXPIRED' },
    { what: 'deleted', registration: deleted, atMs: CREATED, state: 'DELETED' },
    { what: 'deleted, and past its expiry since', registration: deleted, atMs: EXPIRES, state: 'DELETED' },
    { what: 'past its expiry and erased', registration: expired, atMs: EXPIRES + 1, state: 'EXPIRED' },
  ])('that is $what is $state', ({ registration, atMs, state }) => {
    expect(registrationState(registration, atMs)).toBe(state)
  })
})

describe('the expiry of a registration', () => {
  it.each([
    { of: 'a card', accountEndsAtMs: CARD_ENDS, extended: false, end: '2028-08-01' },
    { of: 'a card, extended', accountEndsAtMs: CARD_ENDS, extended: true, end: '2029-06-01' },
    { of: 'an account without end', accountEndsAtMs: null, extended: false, end: '2027-12-31' },
    { of: 'an account without end, extended', accountEndsAtMs: null, extended: true, end: '2028-10-31' },
  ])('with $of: $end', ({ accountEndsAtMs, extended, end }) => {
    expect(dayOf(expiresAtMs({ accountEndsAtMs, usedAtMs: day('2026-10-31'), extended }))).toBe(end)
  })

  it('keeps the time of day, and is on the last day of a month that is too short', () => {
    const usedAtMs = Date.UTC(2026, 11, 31, 23, 59, 58, 7)
    expect(expiresAtMs({ accountEndsAtMs: null, usedAtMs, extended: false })).toBe(Date.UTC(2028, 1, 29, 23, 59, 58, 7))
  })
})

describe('operations on a registration', () => {
  const moves = {
    use: (subject: RegistrationSubject) => useRegistration(subject) ?? { kind: 'go' },
    TE: (subject: RegistrationSubject) =>
      extendRegistration(subject, { accountEndsAtMs: CARD_ENDS, usedAtMs: CREATED }),
    DR: deregister,
  } as const
  const late = '2029-01-01'

  it.each<[keyof typeof moves, string, RegistrationSubject, ResultCode | 'go']>([
    ['use', 'active', at(active), 'go'],
    ['use', 'of another channel', at(active, late, 'other'), '700.400.700'],
    ['use', 'deregistered', at(deleted), '100.150.202'],
    ['use', 'expired', at(active, late), '100.150.203'],
    ['use', 'expired and erased', at(expired, late), '100.150.203'],
    ['TE', 'active', at(active), 'go'],
    ['TE', 'of another channel', at(active, late, 'other'), '700.400.700'],
    ['TE', 'deregistered', at(deleted), '100.350.316'],
    ['TE', 'expired', at(active, late), '100.350.316'],
    ['DR', 'active', at(active), 'go'],
    ['DR', 'expired, not erased yet', at(active, late), 'go'],
    ['DR', 'of another channel', at(deleted, late, 'other'), '700.400.700'],
    ['DR', 'deregistered', at(deleted), '100.150.202'],
    ['DR', 'expired and erased', at(expired, late), '100.150.202'],
  ])('%s of a registration that is %s', (move, _what, subject, outcome) => {
    const decision = moves[move](subject)
    expect('code' in decision ? decision.code : decision.kind).toBe(outcome)
  })

  it('have codes for an unknown registration', () => {
    const codes = Object.entries(unknownRegistration).map(([move, { kind, code }]) => [move, kind, code])
    expect(codes).toEqual([
      ['use', 'unknown', '100.150.200'],
      ['RR', 'unknown', '100.150.200'],
      ['TE', 'unknown', '100.150.200'],
      ['DR', 'unknown', '100.350.303'],
    ])
  })
})

describe('changes of a registration', () => {
  it('TE extends the retention to twenty-four months once', () => {
    const extend = (registration: Registration, on: string) => {
      const decision = extendRegistration(at(registration, on), { accountEndsAtMs: CARD_ENDS, usedAtMs: CREATED })
      if (decision.kind !== 'go') throw new Error(decision.code)
      return decision.registration
    }
    const once = extend(active, '2026-07-01')
    expect(once).toEqual({ ...active, extendedAtMs: day('2026-07-01'), expiresAtMs: day('2029-06-01') })
    expect(extend(once, '2027-07-01')).toEqual(once)
  })

  it('RR replaces the account and the expiry, and keeps the agreements', () => {
    const agreed = { ...active, verifiedAtMs: CREATED, initialTransactionId: 'n1', agreements: { RECURRING: 'n1' } }
    const account = { accountId: 'other', accountEndsAtMs: day('2030-06-01'), verified: false }
    const updated = updateRegistration(agreed, account, day('2027-01-01'))
    expect(updated).toEqual({ ...agreed, accountId: 'other', verifiedAtMs: null, expiresAtMs: day('2031-08-01') })
    const extended = updateRegistration({ ...agreed, extendedAtMs: CREATED }, { ...account, verified: true }, CREATED)
    expect([extended.verifiedAtMs, extended.expiresAtMs]).toEqual([CREATED, day('2032-06-01')])
  })

  it('DR deletes the registration', () => {
    expect(deregister(at(active, '2026-06-01'))).toEqual({ kind: 'go', registration: deleted })
  })

  it('a registration expires once', () => {
    expect(expireRegistration(active, EXPIRES - 1)).toBeUndefined()
    expect(expireRegistration(active, EXPIRES + 1)).toEqual(expired)
    expect(expireRegistration(expired, EXPIRES + 2)).toBeUndefined()
    expect(expireRegistration(deleted, EXPIRES + 2)).toBeUndefined()
  })

  it('each use renews the retention of an account without expiry', () => {
    const endless = make({ accountEndsAtMs: null })
    expect(dayOf(endless.expiresAtMs)).toBe('2027-07-04')
    expect(dayOf(withLastUse(endless, day('2027-01-01')).expiresAtMs)).toBe('2028-03-01')
    expect(dayOf(withLastUse({ ...endless, extendedAtMs: CREATED }, day('2027-01-01')).expiresAtMs)).toBe('2029-01-01')
  })
})

describe('an approved payment', () => {
  const instruction = (mode: 'INITIAL' | 'REPEATED', source: 'CIT' | 'MIT'): StandingInstruction => ({
    type: 'INSTALLMENT',
    mode,
    source,
  })
  const paid = { ...active, verifiedAtMs: CREATED, initialTransactionId: 'n1' }

  it.each([
    { what: 'the first, without a standing instruction', before: active, given: undefined, id: 'n1', after: paid },
    { what: 'a later one', before: paid, given: undefined, id: 'n2', after: paid },
    { what: 'one without a network transaction id', before: active, given: undefined, id: undefined, after: active },
    { what: 'a later one by the customer', before: paid, given: instruction('REPEATED', 'CIT'), id: 'n2', after: paid },
    {
      what: 'a charge by the merchant',
      before: active,
      given: instruction('REPEATED', 'MIT'),
      id: 'n2',
      after: active,
    },
    {
      what: 'the first of an agreement',
      before: paid,
      given: instruction('INITIAL', 'CIT'),
      id: 'n2',
      after: { ...paid, agreements: { INSTALLMENT: 'n2' } },
    },
    {
      what: 'the first of an agreement, by the merchant',
      before: active,
      given: instruction('INITIAL', 'MIT'),
      id: 'n1',
      after: { ...paid, agreements: { INSTALLMENT: 'n1' } },
    },
  ])('updates the registration as defined: $what', ({ before, given, id, after }) => {
    expect(afterPayment(before, given, id, CREATED)).toEqual(after)
  })

  it('without new facts returns the same registration', () => {
    expect(afterPayment(paid, undefined, 'n2', CREATED + 1)).toBe(paid)
  })

  it('that begins another agreement does not move the time of the first verification', () => {
    expect(afterPayment(paid, instruction('INITIAL', 'CIT'), 'n2', CREATED + 1).verifiedAtMs).toBe(CREATED)
  })
})
