import { testCards } from '@tollgate/connectors'
import { describe, expect, test } from 'vitest'
import { bodyOf, NUMBER_PLACEHOLDER, numberText, payment, prepareRequests } from './workload.ts'

const merchant = { channel: 'channel-1', token: 'token-1' }
const merchants = [merchant, { channel: 'channel-2', token: 'token-2' }]

describe('the payment with a number', () => {
  test('is always the same, and has 20 parameters', () => {
    const form = payment(merchant, 4711)
    expect(String(form)).toBe(String(payment(merchant, 4711)))
    expect([...form.keys()]).toHaveLength(20)
    expect([...form.values()].every((value) => value !== '')).toBe(true)
  })

  test('differs from the others in its merchantTransactionId and its e-mail address', () => {
    const forms = Array.from({ length: 2000 }, (_, number) => payment(merchant, number))
    for (const name of ['merchantTransactionId', 'customer.email']) {
      expect(new Set(forms.map((form) => form.get(name))).size).toBe(forms.length)
    }
  })

  test.each([
    ['amount', 1000],
    ['paymentBrand', 5],
    ['card.number', 5],
    ['card.holder', 300],
    ['card.expiryMonth', 12],
    ['card.expiryYear', 5],
    ['card.cvv', 500],
    ['customer.ip', 1900],
    ['customer.merchantCustomerId', 1900],
    ['billing.street1', 1000],
    ['billing.city', 10],
    ['billing.postcode', 500],
    ['billing.country', 5],
  ])('has another %s than the others: among 2,000 at least %i values', (name, values) => {
    const found = Array.from({ length: 2000 }, (_, number) => payment(merchant, number).get(name))
    expect(new Set(found).size).toBeGreaterThanOrEqual(values)
  })

  test('has a card that is approved without 3-D Secure', () => {
    const numbers = new Set(Array.from({ length: 2000 }, (_, number) => payment(merchant, number).get('card.number')))
    const approved = testCards.filter(({ enrolled }) => !enrolled).map(({ number }) => number)
    expect(approved).toEqual(expect.arrayContaining([...numbers]))
  })
})

describe('prepared requests', () => {
  const requests = prepareRequests(merchants)

  test('alternate between the merchants, and differ', () => {
    expect(requests.slice(0, 3).map(({ authorization }) => authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-2',
      'Bearer token-1',
    ])
    expect(new Set(requests.map(({ body }) => body)).size).toBe(requests.length)
  })

  test('have two places for the number, which is as long as the placeholder', () => {
    expect(numberText(1)).toHaveLength(NUMBER_PLACEHOLDER.length)
    for (const { body } of requests) expect(body.split(NUMBER_PLACEHOLDER)).toHaveLength(3)
  })

  test('are the payment with its number after the number is inserted', () => {
    const [first, second] = requests
    expect(first && bodyOf(first, 0)).toBe(String(payment(merchant, 0)))
    expect(second && bodyOf(second, 1)).toBe(String(payment({ channel: 'channel-2', token: '' }, 1)))
  })
})
