import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { decodeForm } from './decode-form.ts'
import { decodeLogin } from './login.ts'
import { sections } from './sections.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const decodedLogin = (body: string) => {
  const login = decodeLogin(bytesOf(body))
  return login && { ...login, password: login.password?.use((bytes) => new TextDecoder().decode(bytes)) }
}

const ENTITY = '70119a7e5eed00000000000000000c1e'
const whole = `authentication.userId=jane&authentication.password=s%20cret+1&authentication.entityId=${ENTITY}`
const emptyLogin = { entityId: undefined, userId: undefined, password: undefined }

afterEach(() => vi.restoreAllMocks())

describe('a login', () => {
  test.each([
    ['complete', whole, { entityId: ENTITY, userId: 'jane', password: 's cret 1' }],
    [
      'among other parameters',
      `amount=1&${whole}&card.number=42`,
      { entityId: ENTITY, userId: 'jane', password: 's cret 1' },
    ],
    [
      'names escaped',
      '%61uthentication%2EuserId=%6aane&authentication%2epassword=x',
      { userId: 'jane', password: 'x' },
    ],
    ['UTF-8', 'authentication.userId=j%C3%A4ne&authentication.password=ü', { userId: 'jäne', password: 'ü' }],
    ['only the entity', `authentication.entityId=${ENTITY}`, { entityId: ENTITY }],
    ['an invalid entity', 'authentication.entityId=x&authentication.userId=jane', { userId: 'jane' }],
    ['an empty password', 'authentication.password=&authentication.userId=jane', { userId: 'jane' }],
    ['a password twice', 'authentication.password=a&authentication.password=b', { password: 'b' }],
    ['a user three times', 'authentication.userId=a&authentication.userId=b&authentication.userId=c', { userId: 'c' }],
    ['an invalid last user', 'authentication.userId=a&authentication.userId=%00', {}],
    ['an empty last user', 'authentication.userId=a&authentication.userId=', { userId: 'a' }],
    ['bytes that are no UTF-8', 'authentication.userId=%C3%28&authentication.password=%ff', {}],
    ['a broken escape', 'authentication.userId=jane%4&authentication.password=%zz', {}],
    ['a NUL', 'authentication.userId=jane%00', {}],
    ['too long', `authentication.userId=${'a'.repeat(256)}&authentication.password=${'a'.repeat(256)}`, {}],
  ])('is decoded, malformed values as undefined: %s', (_, body, expected) => {
    expect(decodedLogin(body)).toEqual({ ...emptyLogin, ...expected })
  })

  test.each([
    '',
    'amount=1',
    'userId=jane&password=x',
    'authentication=x',
    'authentication.=x',
    'authentication.userid=jane',
    'authentication.passwords=x',
    'Authentication.password=x',
    'authentication.userId=&authentication.password=',
  ])('is undefined for %j', (body) => {
    expect(decodedLogin(body)).toBeUndefined()
  })

  test('is ignored beyond the maximum number of parameters', () => {
    expect(decodedLogin(`${'a=1&'.repeat(20_000)}${whole}`)).toBeUndefined()
  })
})

test('only user and entity are decoded to text, and the password is erased in the body', () => {
  const decoded = vi.spyOn(TextDecoder.prototype, 'decode')
  const body = bytesOf(`card.number=4200000000000000&${whole}`)
  decodeLogin(body)
  expect(new Set(decoded.mock.results.map(({ value }) => value))).toEqual(new Set([ENTITY, 'jane']))
  expect(new TextDecoder().decode(body)).toContain('card.number=4200000000000000')
  expect(new TextDecoder().decode(body)).not.toMatch(/password|cret/)
})

test('a password that is sent twice is erased twice', () => {
  const body = bytesOf('authentication.password=one&authentication.password=two')
  decodeLogin(body)
  expect(new TextDecoder().decode(body)).not.toMatch(/one|two/)
})

describe('a form', () => {
  test('contains only the entity of a login', () => {
    const form = decodeForm(bytesOf(`amount=1&${whole}`))
    expect(form).toMatchObject({ loginEntityId: ENTITY, problems: [] })
    expect([[...form.values], form.secrets.size]).toEqual([[['amount', '1']], 0])
    expect(decodeForm(bytesOf('amount=1')).loginEntityId).toBeUndefined()
  })

  test('is decoded unchanged after its login was decoded', () => {
    const body = bytesOf(`amount=1&${whole}&currency=EUR`)
    decodeLogin(body)
    expect(decodeForm(body)).toMatchObject({
      loginEntityId: ENTITY,
      values: new Map([
        ['amount', '1'],
        ['currency', 'EUR'],
      ]),
    })
    expect(body.every((byte) => byte === 0)).toBe(true)
  })

  test('decodes no password to text', () => {
    const decoded = vi.spyOn(TextDecoder.prototype, 'decode')
    const unescaped = vi.spyOn(globalThis, 'decodeURIComponent')
    decodeForm(bytesOf('authentication.password=hush%31&%61uthentication.password=hush2&merchantMemo=a%20b'))
    const texts = [
      ...decoded.mock.results.map(({ value }) => String(value)),
      ...unescaped.mock.calls.map(([text]) => text),
    ]
    expect(texts.length).toBeGreaterThan(1)
    for (const text of texts) expect(text).not.toMatch(/hush/)
  })
})

test('any user and password are decoded as sent', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((each) => !/\p{Cc}/u.test(each))
  fc.assert(
    fc.property(text, text, (userId, password) => {
      const body = new URLSearchParams({ 'authentication.userId': userId, 'authentication.password': password })
      expect(decodedLogin(body.toString())).toEqual({ entityId: undefined, userId, password })
    }),
  )
})

test('no parameter of the contract has the prefix of a login', () => {
  const names = sections.flatMap(({ rows }) => rows.map(({ name }) => name))
  expect(names.filter((name) => name.startsWith('authentication.'))).toEqual([])
})
