import { type BrandCode, DAY_MS } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import {
  type AuthorisationCase,
  authorisationCase,
  authorisationExpiresAtMs,
  incrementExtends,
} from './authorisation-validity.ts'

describe('authorisationExpiresAtMs', () => {
  it.each<[brand: BrandCode | null, kind: AuthorisationCase, days: number]>([
    ['VISA', 'customer', 7],
    ['VISA', 'merchant', 5],
    ['VISA', 'extended', 30],
    ['VISA', 'present', 5],
    ['VISADEBIT', 'merchant', 5],
    ['MASTER', 'customer', 30],
    ['MASTER', 'present', 2],
    ['MASTERDEBIT', 'customer', 30],
    ['MAESTRO', 'present', 7],
    ['AMEX', 'customer', 7],
    ['JCB', 'present', 2],
    ['PAYPAL', 'customer', 7],
    [null, 'customer', 7],
  ])('a hold of %s in the case %s is valid for %d days', (brand, kind, days) => {
    expect(authorisationExpiresAtMs(brand, kind, 1000)).toBe(1000 + days * DAY_MS)
  })

  it('an increment extends a hold under Mastercard rules only', () => {
    expect([incrementExtends('MASTER'), incrementExtends('VISA'), incrementExtends(null)]).toEqual([true, false, false])
  })
})

describe('authorisationCase', () => {
  it.each<[request: Parameters<typeof authorisationCase>[0], kind: AuthorisationCase]>([
    [{}, 'customer'],
    [{ source: 'CIT', mcc: '5411' }, 'customer'],
    [{ source: 'MIT' }, 'merchant'],
    [{ isCardPresent: true }, 'present'],
    [{ mcc: '3351' }, 'extended'],
    [{ mcc: '3999' }, 'extended'],
    [{ mcc: '4000' }, 'customer'],
    [{ mcc: '7011', source: 'MIT' }, 'extended'],
    [{ mcc: '7512', isCardPresent: true }, 'extended'],
    [{ mcc: 'A' }, 'customer'],
    [{ mcc: '' }, 'customer'],
  ])('%j is the case %s', (request, kind) => {
    expect(authorisationCase(request)).toBe(kind)
  })
})
