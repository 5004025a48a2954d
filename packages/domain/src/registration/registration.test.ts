import type { ResultCode } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import type { StandingInstruction } from '../card-on-file/instruction.ts'
import { registrationAfterPayment } from './registration-after-payment.ts'
import { createRegistration } from './create-registration.ts'
import { deregister } from './deregister.ts'
import { withLastUse, expireRegistration } from './expire-registration.ts'
import { extendRegistration } from './extend-registration.ts'
import type { RegistrationSubject } from './guards.ts'
import { unknownRegistration } from './unknown-registration.ts'
import { type Registration, registrationState } from './registration.ts'
import { expiresAtMs } from './lifetime.ts'
import { updateRegistration } from './update-registration.ts'
import { registrationUseRefusal } from './registration-use-refusal.ts'

const day = (text: string) => Date.parse(`${text}T12:00:00Z`)
const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10)

const CREATED_AT_MS = day('2026-05-04')
const CARD_EXPIRES_AT_MS = day('2027-06-01')

const newRegistration = (changes: Partial<Parameters<typeof createRegistration>[0]> = {}): Registration =>
  createRegistration({
    id: 'a'.repeat(32),
    channel: 'channel',
    accountId: 'account',
    accountExpiresAtMs: CARD_EXPIRES_AT_MS,
    verified: false,
    initialTransactionId: null,
    agreements: {},
    atMs: CREATED_AT_MS,
    ...changes,
  })

const active = newRegistration()
const deleted: Registration = { ...active, deletedAtMs: day('2026-06-01') }
const EXPIRES_AT_MS = day('2028-08-01')
const expired: Registration = { ...active, deletedAtMs: EXPIRES_AT_MS + 1 }
const subjectOf = (registration: Registration, text = '2026-07-01', channel = 'channel'): RegistrationSubject => ({
  registration,
  channel,
  atMs: day(text),
})

describe('a registration', () => {
  it('begins active, and expires fourteen months after its card', () => {
    expect(active).toEqual({
      id: 'a'.repeat(32),
      channel: 'channel',
      accountId: 'account',
      createdAtMs: CREATED_AT_MS,
      expiresAtMs: EXPIRES_AT_MS,
      extendedAtMs: null,
      verifiedAtMs: null,
      initialTransactionId: null,
      agreements: {},
      deletedAtMs: null,
    })
  })

  it('of a verified account is verified at its creation', () => {
    expect(newRegistration({ verified: true }).verifiedAtMs).toBe(CREATED_AT_MS)
  })

  it.each([
    { name: 'active', registration: active, atMs: EXPIRES_AT_MS - 1, state: 'ACTIVE' },
    { name: 'past its expiry', registration: active, atMs: EXPIRES_AT_MS, state: 'EXPIRED' },
    { name: 'deleted', registration: deleted, atMs: CREATED_AT_MS, state: 'DELETED' },
    {
      name: 'deleted before its expiry, which has passed',
      registration: deleted,
      atMs: EXPIRES_AT_MS,
      state: 'DELETED',
    },
    { name: 'past its expiry and erased', registration: expired, atMs: EXPIRES_AT_MS + 1, state: 'EXPIRED' },
  ])('that is $name is $state', ({ registration, atMs, state }) => {
    expect(registrationState(registration, atMs)).toBe(state)
  })
})

describe('the expiry of a registration', () => {
  it.each([
    { account: 'a card', accountExpiresAtMs: CARD_EXPIRES_AT_MS, extended: false, end: '2028-08-01' },
    { account: 'a card, extended', accountExpiresAtMs: CARD_EXPIRES_AT_MS, extended: true, end: '2029-06-01' },
    { account: 'an account without an expiry', accountExpiresAtMs: null, extended: false, end: '2027-12-31' },
    { account: 'an account without an expiry, extended', accountExpiresAtMs: null, extended: true, end: '2028-10-31' },
  ])('of $account is on $end', ({ accountExpiresAtMs, extended, end }) => {
    expect(dayOf(expiresAtMs({ accountExpiresAtMs, usedAtMs: day('2026-10-31'), extended }))).toBe(end)
  })

  it('keeps the time of day, and is on the last day of a month that is too short', () => {
    const usedAtMs = Date.UTC(2026, 11, 31, 23, 59, 58, 7)
    expect(expiresAtMs({ accountExpiresAtMs: null, usedAtMs, extended: false })).toBe(
      Date.UTC(2028, 1, 29, 23, 59, 58, 7),
    )
  })
})

describe('operations on a registration', () => {
  const operations = {
    use: (subject: RegistrationSubject) => registrationUseRefusal(subject) ?? { kind: 'go' },
    TE: (subject: RegistrationSubject) =>
      extendRegistration(subject, { accountExpiresAtMs: CARD_EXPIRES_AT_MS, usedAtMs: CREATED_AT_MS }),
    DR: deregister,
  } as const
  const late = '2029-01-01'

  it.each<[operation: keyof typeof operations, name: string, outcome: ResultCode | 'go', subject: RegistrationSubject]>(
    [
      ['use', 'active', 'go', subjectOf(active)],
      ['use', 'of another channel', '700.400.700', subjectOf(active, late, 'other')],
      ['use', 'deregistered', '100.150.202', subjectOf(deleted)],
      ['use', 'expired', '100.150.203', subjectOf(active, late)],
      ['use', 'expired and erased', '100.150.203', subjectOf(expired, late)],
      ['TE', 'active', 'go', subjectOf(active)],
      ['TE', 'of another channel', '700.400.700', subjectOf(active, late, 'other')],
      ['TE', 'deregistered', '100.350.316', subjectOf(deleted)],
      ['TE', 'expired', '100.350.316', subjectOf(active, late)],
      ['DR', 'active', 'go', subjectOf(active)],
      ['DR', 'expired, not erased yet', 'go', subjectOf(active, late)],
      ['DR', 'of another channel', '700.400.700', subjectOf(deleted, late, 'other')],
      ['DR', 'deregistered', '100.150.202', subjectOf(deleted)],
      ['DR', 'expired and erased', '100.150.202', subjectOf(expired, late)],
    ],
  )('%s of a registration that is %s has the outcome %s', (operation, _name, outcome, subject) => {
    const decision = operations[operation](subject)
    expect('code' in decision ? decision.code : decision.kind).toBe(outcome)
  })

  it('have a result code each for an unknown registration', () => {
    const codes = Object.entries(unknownRegistration).map(([operation, { kind, code }]) => [operation, kind, code])
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
      const decision = extendRegistration(subjectOf(registration, on), {
        accountExpiresAtMs: CARD_EXPIRES_AT_MS,
        usedAtMs: CREATED_AT_MS,
      })
      if (decision.kind !== 'go') throw new Error(decision.code)
      return decision.registration
    }
    const extended = extend(active, '2026-07-01')
    expect(extended).toEqual({ ...active, extendedAtMs: day('2026-07-01'), expiresAtMs: day('2029-06-01') })
    expect(extend(extended, '2027-07-01')).toEqual(extended)
  })

  it('RR replaces account, verification and expiry, and keeps the agreements', () => {
    const agreed = {
      ...active,
      verifiedAtMs: CREATED_AT_MS,
      initialTransactionId: 'n1',
      agreements: { RECURRING: 'n1' },
    }
    const account = { accountId: 'other', accountExpiresAtMs: day('2030-06-01'), verified: false }
    const updated = updateRegistration(agreed, account, day('2027-01-01'))
    expect(updated).toEqual({ ...agreed, accountId: 'other', verifiedAtMs: null, expiresAtMs: day('2031-08-01') })
    const extended = updateRegistration(
      { ...agreed, extendedAtMs: CREATED_AT_MS },
      { ...account, verified: true },
      CREATED_AT_MS,
    )
    expect([extended.verifiedAtMs, extended.expiresAtMs]).toEqual([CREATED_AT_MS, day('2032-06-01')])
  })

  it('DR deletes the registration', () => {
    expect(deregister(subjectOf(active, '2026-06-01'))).toEqual({ kind: 'go', registration: deleted })
  })

  it('a registration expires once', () => {
    expect(expireRegistration(active, EXPIRES_AT_MS - 1)).toBeUndefined()
    expect(expireRegistration(active, EXPIRES_AT_MS + 1)).toEqual(expired)
    expect(expireRegistration(expired, EXPIRES_AT_MS + 2)).toBeUndefined()
    expect(expireRegistration(deleted, EXPIRES_AT_MS + 2)).toBeUndefined()
  })

  it('each use renews the retention of an account without an expiry date', () => {
    const endless = newRegistration({ accountExpiresAtMs: null })
    expect(dayOf(endless.expiresAtMs)).toBe('2027-07-04')
    expect(dayOf(withLastUse(endless, day('2027-01-01')).expiresAtMs)).toBe('2028-03-01')
    expect(dayOf(withLastUse({ ...endless, extendedAtMs: CREATED_AT_MS }, day('2027-01-01')).expiresAtMs)).toBe(
      '2029-01-01',
    )
  })
})

describe('an approved payment', () => {
  const instruction = (mode: 'INITIAL' | 'REPEATED', source: 'CIT' | 'MIT'): StandingInstruction => ({
    type: 'INSTALLMENT',
    mode,
    source,
  })
  const paid = { ...active, verifiedAtMs: CREATED_AT_MS, initialTransactionId: 'n1' }

  const payments = [
    {
      name: 'the first payment, without a standing instruction',
      before: active,
      standing: undefined,
      id: 'n1',
      after: paid,
    },
    { name: 'a later payment', before: paid, standing: undefined, id: 'n2', after: paid },
    {
      name: 'a payment without a network transaction id',
      before: active,
      standing: undefined,
      id: undefined,
      after: active,
    },
    {
      name: 'a later payment by the customer under an agreement',
      before: paid,
      standing: instruction('REPEATED', 'CIT'),
      id: 'n2',
      after: paid,
    },
    {
      name: 'a charge by the merchant',
      before: active,
      standing: instruction('REPEATED', 'MIT'),
      id: 'n2',
      after: active,
    },
    {
      name: 'the first payment of an agreement',
      before: paid,
      standing: instruction('INITIAL', 'CIT'),
      id: 'n2',
      after: { ...paid, agreements: { INSTALLMENT: 'n2' } },
    },
    {
      name: 'the first payment of an agreement, by the merchant',
      before: active,
      standing: instruction('INITIAL', 'MIT'),
      id: 'n1',
      after: { ...paid, agreements: { INSTALLMENT: 'n1' } },
    },
  ]

  it.each(payments.filter(({ before, after }) => after !== before))(
    'changes the registration: $name',
    ({ before, standing, id, after }) => {
      expect(registrationAfterPayment(before, standing, id, CREATED_AT_MS)).toEqual(after)
    },
  )

  it.each(payments.filter(({ before, after }) => after === before))(
    'leaves the registration unchanged: $name',
    ({ before, standing, id }) => {
      expect(registrationAfterPayment(before, standing, id, CREATED_AT_MS + 1)).toBe(before)
    },
  )

  it('that begins another agreement does not change the time of the first verification', () => {
    expect(registrationAfterPayment(paid, instruction('INITIAL', 'CIT'), 'n2', CREATED_AT_MS + 1).verifiedAtMs).toBe(
      CREATED_AT_MS,
    )
  })
})
