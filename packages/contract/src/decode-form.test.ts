import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { decodeForm } from './decode-form.ts'
import type { Form } from './form.ts'
import { limits } from './limits.ts'
import { findParameter, type ParameterName } from './names.ts'
import { Secret } from './secret.ts'
import { sections } from './sections.ts'
import { codePoint } from './testing/code-point.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const decode = (body: string): Form => decodeForm(bytesOf(body))
const values = (body: string): Record<string, string> => Object.fromEntries(decode(body).values)
const secretText = (form: Form, name: ParameterName): string | undefined =>
  form.secrets.get(name)?.use((bytes) => new TextDecoder().decode(bytes))

describe('the values of a form', () => {
  test.each([
    ['an empty body', '', {}],
    ['plain pairs', 'amount=92.00&currency=EUR', { amount: '92.00', currency: 'EUR' }],
    ['without parameters that have an empty value', 'amount=&currency=EUR&descriptor', { currency: 'EUR' }],
    ['without unknown names', 'recurringType=INITIAL&shipping.givenName=A&amount=1', { amount: '1' }],
    ['without empty pairs', '&&=x&=&amount=1&', { amount: '1' }],
    ['a value that contains =', 'descriptor=a=b==', { descriptor: 'a=b==' }],
    ['plus as a space and %2B as a plus', 'descriptor=a+b%2Bc', { descriptor: 'a b+c' }],
    ['escapes of UTF-8', 'descriptor=M%C3%BCnchen%20%F0%9D%84%9E', { descriptor: 'München 𝄞' }],
    ['UTF-8 without escapes', 'descriptor=München 𝄞&amount=1', { descriptor: 'München 𝄞', amount: '1' }],
    ['UTF-8 with and without escapes', 'descriptor=ü%C3%BC+ü', { descriptor: 'üü ü' }],
    ['pairs after unknown names in UTF-8', 'ü=ü&ü=&amount=1', { amount: '1' }],
    ['escapes in names', '%61mount=1&cart.items%5b0%5D.name=x', { amount: '1', 'cart.items[0].name': 'x' }],
    ['raw brackets', 'customParameters[abc]=x', { 'customParameters[abc]': 'x' }],
    [
      'without names of properties of Object.prototype, except as keys',
      '__proto__=x&constructor=y&customParameters[__proto__]=z',
      { 'customParameters[__proto__]': 'z' },
    ],
    [
      'without unknown names that begin with the name of a secret',
      '%63ard.numbers=1&card.cvvs=1&amount=1',
      { amount: '1' },
    ],
    ['aliases of wallets', 'applePay.source=web', { 'walletA.source': 'web' }],
    ['without names that are too long', `${'%61'.repeat(100)}=1&amount=1`, { amount: '1' }],
    ['a byte order mark as a character', 'descriptor=%EF%BB%BFa', { descriptor: '\uFEFFa' }],
  ])('are decoded: %s', (_, body, expected) => {
    const form = decode(body)
    expect(new Map(form.values)).toEqual(new Map(Object.entries(expected)))
    expect([form.problems.length, form.secrets.size]).toEqual([0, 0])
  })
})

describe('a decoding problem', () => {
  test.each([
    ['a broken escape', 'descriptor=100%', 'descriptor', '', 'must be UTF-8, percent-encoded'],
    ['a broken escape at the end', 'descriptor=%4', 'descriptor', '', 'must be UTF-8, percent-encoded'],
    ['bytes that are not UTF-8', 'descriptor=%C3%28', 'descriptor', '', 'must be UTF-8, percent-encoded'],
    ['a surrogate', 'descriptor=%ED%A0%80', 'descriptor', '', 'must be UTF-8, percent-encoded'],
    [
      'an index past the bound',
      'cart.items[1000].name=x',
      'cart.items[1000].name',
      'x',
      'must have indexes from 0 to 999',
    ],
    ['a secret that is half an escape', 'card.cvv=%', 'card.cvv', '***', 'must be UTF-8, percent-encoded'],
    ['a secret with a broken escape', 'card.cvv=12%3', 'card.cvv', '***', 'must be UTF-8, percent-encoded'],
  ])('is reported for %s', (_, body, name, value, message) => {
    expect(decode(body).problems).toEqual([{ name, value, message }])
  })

  test('is reported for raw bytes that are not UTF-8', () => {
    const body = Uint8Array.of(...bytesOf('descriptor='), 0xff, ...bytesOf('&amount=1'))
    const form = decodeForm(body)
    expect(form.problems.map(({ name }) => name)).toEqual(['descriptor'])
    expect(form.values.get('amount')).toBe('1')
  })

  test('is the only content of a form with more pairs than the maximum', () => {
    const body = (count: number) => Array.from({ length: count }, (_, i) => `customParameters[key${i}]=x`).join('&')
    const largest = decode(body(limits.pairsMax))
    expect([largest.values.size, largest.isTooLarge]).toEqual([limits.pairsMax, false])
    const tooLarge = decode(body(limits.pairsMax + 1))
    expect([tooLarge.values.size, tooLarge.problems.length, tooLarge.isTooLarge]).toEqual([0, 1, true])
  })
})

test('the longest name that the contract allows is decoded, however it is encoded', () => {
  const encodeAll = (text: string) => Array.from(bytesOf(text), (byte) => `%${byte.toString(16)}`).join('')
  const name = `risk.parameters[${'😀'.repeat(64)}]`
  expect(encodeAll(name).length).toBeLessThanOrEqual(limits.nameBytesMax)
  expect(Object.fromEntries(decode(`${encodeAll(name)}=x`).values)).toEqual({ [name]: 'x' })
})

describe('a repeated parameter has its last value and is listed as repeated', () => {
  test.each([
    ['twice', 'amount=1&amount=2', { amount: '2' }],
    [
      'with the same value',
      'billing.state=BY&currency=EUR&billing.state=BY',
      { 'billing.state': 'BY', currency: 'EUR' },
    ],
    ['three times', 'descriptor=a&descriptor=b&descriptor=a', { descriptor: 'a' }],
    ['under two names', 'walletA.source=web&applePay.source=app', { 'walletA.source': 'app' }],
    ['escaped in two ways', 'customParameters[abc]=1&customParameters%5babc%5D=2', { 'customParameters[abc]': '2' }],
    ['first with invalid UTF-8', 'descriptor=%C3%28&descriptor=b', { descriptor: 'b' }],
    ['with invalid UTF-8 between', 'descriptor=a&descriptor=%C3%28&descriptor=b', { descriptor: 'b' }],
  ])('%s', (_, body, expected) => {
    const form = decode(body)
    expect([Object.fromEntries(form.values), form.problems]).toEqual([expected, []])
    expect(form.sent.map(({ name }) => name).toSorted()).toEqual(Object.keys(expected).toSorted())
    expect(form.repeated).toHaveLength(1)
    expect(Object.keys(expected)).toContain(form.repeated[0])
  })

  test('unless it is unknown or all its other values are empty', () => {
    const form = decode('shopperOrigin=a&shopperOrigin=b&amount=&amount=1&currency=EUR&currency=')
    expect([Object.fromEntries(form.values), form.repeated]).toEqual([{ amount: '1', currency: 'EUR' }, []])
  })

  test('a last value that is not valid text is an error', () => {
    expect(decode('descriptor=a&descriptor=%').problems.map(({ name }) => name)).toEqual(['descriptor'])
  })

  test('the bytes of an earlier secret are erased', () => {
    const wiped = vi.spyOn(Secret.prototype, 'wipe')
    const form = decode('card.cvv=123&card.number=1&card.cvv=456')
    expect([secretText(form, 'card.cvv'), form.repeated, form.sent.length]).toEqual(['456', ['card.cvv'], 2])
    expect(wiped).toHaveBeenCalledOnce()
    const [earlier] = wiped.mock.contexts
    expect(earlier instanceof Secret && earlier.use((bytes) => [...bytes])).toEqual([0, 0, 0])
    wiped.mockRestore()
  })
})

describe('a secret', () => {
  afterEach(() => vi.restoreAllMocks())

  test.each<[body: string, name: ParameterName, text: string]>([
    ['card.number=4200000000000000', 'card.number', '4200000000000000'],
    ['%63ard.number=4200000000000000', 'card.number', '4200000000000000'],
    ['%63%61%72%64%2e%6E%75%6d%62%65%72=42', 'card.number', '42'],
    ['card.cvv=1%32%33', 'card.cvv', '123'],
    ['googlePay.paymentToken=%7B%22a%22%3A1%7D+', 'walletB.paymentToken', '{"a":1} '],
    ['%67ooglePay.paymentToken=x', 'walletB.paymentToken', 'x'],
    ['bankAccount.iban=DE89370400440532013000', 'bankAccount.iban', 'DE89370400440532013000'],
  ])('is decoded to bytes, not to a value: %s', (body, name, expected) => {
    const form = decode(`amount=1&${body}&currency=EUR`)
    expect(secretText(form, name)).toBe(expected)
    expect([...form.values.keys()]).toEqual(['amount', 'currency'])
    form.wipe()
    expect(form.secrets.get(name)?.use((bytes) => bytes.every((byte) => byte === 0))).toBe(true)
  })

  test('is absent without a value', () => {
    expect(decode('card.cvv=').secrets.size).toBe(0)
  })

  test('is in no intermediate text', () => {
    const decoded = vi.spyOn(TextDecoder.prototype, 'decode')
    const unescaped = vi.spyOn(globalThis, 'decodeURIComponent')
    decode('locale=a%20b&card.number=4200000000000000&%63ard.cvv=987&walletA.paymentToken=%7Btoken%7D&merchantMemo=é')
    const texts = [
      ...decoded.mock.results.map(({ value }) => String(value)),
      ...unescaped.mock.calls.map(([text]) => text),
    ]
    expect(texts.length).toBeGreaterThan(2)
    for (const text of texts) expect(text).not.toMatch(/4200000000000000|987|token/)
  })

  test('is erased in the body', () => {
    const body = bytesOf('amount=1&card.number=4200000000000000')
    decodeForm(body)
    expect(body.every((byte) => byte === 0)).toBe(true)
  })
})

const rows = sections.filter(({ surface }) => surface === 'payment').flatMap((section) => section.rows)
const sendable = rows.filter(({ format }) => format.kind !== 'header')

/** Names of parameters with any index and key. */
const names = fc
  .tuple(fc.constantFrom(...sendable), fc.nat(999), fc.nat(999), fc.stringMatching(/^[A-Za-z0-9_]{3,32}$/))
  .map(([{ name }, n, m, key]) =>
    name
      .replace('[n]', `[${n}]`)
      .replace('[n]', `[${m}]`)
      .replace(/\[(name|key|brand)\]$/, `[${key}]`),
  )
const parameters = fc.dictionary(names, fc.string({ unit: codePoint, minLength: 1 }), { noNullPrototype: true })

const escapeAll = (text: string): string =>
  Array.from(bytesOf(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

/** Ways in which clients encode the same parameters. */
const encodings: Readonly<Record<string, (sent: Record<string, string>) => string>> = {
  'as in browsers': (sent) => new URLSearchParams(sent).toString(),
  'with raw brackets': (sent) =>
    Object.entries(sent)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&'),
  'with every value escaped': (sent) =>
    Object.entries(sent)
      .map(([name, value]) => `${name}=${escapeAll(value)}`)
      .join('&'),
  'as little as possible': (sent) =>
    Object.entries(sent)
      .map(([name, value]) => `${name}=${value.replaceAll(/[%&+]/g, encodeURIComponent)}`)
      .join('&'),
}

test.each(Object.entries(encodings))('parameters that are encoded %s are decoded to the same values', (_, encode) => {
  fc.assert(
    fc.property(parameters, (sent) => {
      const form = decode(encode(sent))
      const decoded = [
        ...form.values,
        ...Array.from(form.secrets.keys(), (name) => [name, secretText(form, name) ?? ''] as const),
      ]
      expect(form.problems).toEqual([])
      expect(Object.fromEntries(decoded)).toEqual(sent)
      expect(
        [...form.values.keys()].filter((name) => findParameter('payment', name)?.row.secret !== undefined),
      ).toEqual([])
    }),
  )
})

test('any bytes are decoded without an exception and erased', () => {
  const fragments = fc.constantFrom(
    'amount',
    'card.number',
    'cart.items[0].name',
    'customParameters[',
    ']',
    '=',
    '&',
    '%',
    '%4',
    '%5B',
    '+',
    '\0',
    'é',
  )
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .array(fc.oneof(fragments, fc.string({ maxLength: 3 })), { maxLength: 30 })
      .map((parts) => bytesOf(parts.join(''))),
  )
  fc.assert(
    fc.property(bodies, fc.constantFrom('payment', 'query', 'report'), (body, surface) => {
      const form = decodeForm(body, surface)
      expect(body.every((byte) => byte === 0)).toBe(true)
      for (const [name, value] of form.values) {
        expect(value).not.toBe('')
        expect(findParameter(surface, name)?.row.secret).toBeUndefined()
      }
      for (const { value } of form.problems.filter(({ name }) => findParameter(surface, name)?.row.secret))
        expect(value).toBe('***')
    }),
    { numRuns: 2_000 },
  )
})

test('a parameter of queries is decoded on the query surface, and ignored on the payment surface', () => {
  expect(values('date.from=x')).toEqual({})
  expect(decodeForm(bytesOf('date.from=2024-01-01+00%3A00%3A00'), 'query').values.get('date.from')).toBe(
    '2024-01-01 00:00:00',
  )
})
