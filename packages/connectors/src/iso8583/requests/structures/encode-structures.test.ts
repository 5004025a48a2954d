import { describe, expect, it, test } from 'vitest'
import { elementsOf, fieldsOf } from '../testing/requests.ts'
import type { StructurePart } from './structure.ts'
import { structureFields } from './structure-fields.ts'

type Texts = Readonly<Record<string, string>>

const fieldOf = (number: keyof typeof structureFields, parameters: Texts): string =>
  fieldsOf({}, parameters)[number] ?? ''

const itemsOf = (count: number, words: Texts, list = 'cart.items'): Texts =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) =>
      Object.entries(words).map(([word, value]) => [`${list}[${index}].${word}`, value]),
    ).flat(),
  )

describe('the tags of a field', () => {
  const tagsOf = (part: StructurePart): readonly string[] => {
    switch (part.kind) {
      case 'structure':
        return part.rows.map(({ tag }) => tag)
      case 'list':
      case 'map':
        return Array.from('0Zz', (key) => `${part.letter}${key}`).concat(`N${part.letter}`)
      case 'value':
        return [part.tag]
    }
  }

  test.each(Object.entries<readonly StructurePart[]>(structureFields))('%s are unique', (_, parts) => {
    const tags = parts.flatMap(tagsOf)
    expect(tags.filter((tag, index) => tags.indexOf(tag) !== index)).toEqual([])
    expect(tags.filter((tag) => !/^[A-Z][0-9A-Za-z]$/.test(tag))).toEqual([])
  })
})

describe('a structure', () => {
  it('has an element for each parameter', () => {
    const parameters = { 'billing.city': 'Köln', 'customer.givenName': 'Jane', 'billing.country': 'DE' }
    expect(fieldOf(120, parameters)).toBe('C2004JaneB5004KolnB8002DE')
  })

  it('leaves out a value that does not fit, and keeps the values after it', () => {
    const parameters = {
      'customer.merchantCustomerId': 'i'.repeat(255),
      'customer.ip': 'j'.repeat(255),
      'customer.merchantReference': 'k'.repeat(255),
      'billing.normalized': 'l'.repeat(255),
      'billing.validationStatus': 'm'.repeat(100),
    }
    const elements = elementsOf(fieldOf(120, parameters))
    expect(Object.keys(elements)).toEqual(['C1', 'CE', 'CF', 'BA'])
  })

  it('is absent without a value', () => {
    expect(fieldsOf({}, { 'customer.givenName': '' })[120]).toBeUndefined()
    expect(fieldsOf({})[121]).toBeUndefined()
  })

  it('has the holder of the account', () => {
    const account = { kind: 'card', number: undefined, cvv: undefined, holder: 'Jane Joné' } as const
    const fields = fieldsOf({ account: { ...account, expiryMonth: undefined, expiryYear: undefined } })
    expect(fields[120]).toBe('AH009Jane Jone')
  })
})

describe('a list', () => {
  it('has the number of all items, and each item in an element', () => {
    const parameters = {
      'cart.items[7].name': 'Hat',
      'cart.items[2].name': 'Shoe',
      'cart.items[2].price': '59.00',
    }
    expect(fieldOf(123, parameters)).toBe('NI0012I0019I1004ShoeIB00559.00I1008I1003Hat')
  })

  it.each([1_000, 300])('of %i items has as many whole items as fit', (count) => {
    const words = { name: 'Shoe', quantity: '1', price: '59.00' }
    const { NI: number, ...items } = elementsOf(fieldOf(123, itemsOf(count, words)))
    expect(number).toBe(String(count))
    expect(Object.keys(items)).toHaveLength(33)
    for (const item of Object.values(items)) expect(elementsOf(item)).toEqual({ I1: 'Shoe', I3: '1', IB: '59.00' })
  })

  it('of small items ends with the last tag', () => {
    const { NI: number, ...items } = elementsOf(fieldOf(123, itemsOf(100, { itemNumber: '1' })))
    expect(number).toBe('100')
    expect(Object.keys(items).at(-1)).toBe('Iz')
  })

  it('cuts free texts, so that they do not displace the items', () => {
    const parameters = itemsOf(2, { description: 'é'.repeat(2_048) })
    const { I0: item = '' } = elementsOf(fieldOf(123, parameters))
    expect(elementsOf(item)).toEqual({ I7: 'e'.repeat(40) })
  })

  it('has only its number if the first item does not fit', () => {
    const words = ['merchantItemId', 'sku', 'originalPrice', 'sellerId'].map((word) => [word, 'x'.repeat(255)])
    expect(elementsOf(fieldOf(123, itemsOf(2, Object.fromEntries(words))))).toEqual({ NI: '2' })
  })

  it('is absent if its items have none of its parameters', () => {
    const gift = { 'cart.items[0].giftMessage': 'Enjoy' }
    expect(fieldsOf({}, gift)[123]).toBeUndefined()
    expect(fieldOf(123, { ...gift, 'cart.items[1].name': 'Hat' })).toBe('NI0012I0000I1008I1003Hat')
  })

  it('follows the amounts and the payments that were made', () => {
    const parameters = {
      taxAmount: '9.20',
      'cart.items[0].name': 'Hat',
      'cart.payments[0].amount': '5.00',
      'forex.currency': 'USD',
    }
    expect(fieldOf(123, parameters)).toBe('A10049.20A5003USDNP0011P0009P30045.00NI0011I0008I1003Hat')
  })
})

describe('a list in items', () => {
  const leg = 'airline.passengers[0].legs'

  it('has its own number and elements', () => {
    const parameters = {
      'airline.agentCode': '7',
      'airline.passengers[0].name': 'Jane',
      [`${leg}[0].flightNumber`]: 'LH1',
      [`${leg}[1].flightNumber`]: 'LH2',
    }
    const { NP: number, P0: passenger = '', A7: agent } = elementsOf(fieldOf(122, parameters))
    const { P2: name, NL: count, L0: first = '', L1: second = '' } = elementsOf(passenger)
    expect([number, agent, name, count]).toEqual(['1', '7', 'Jane', '2'])
    expect([elementsOf(first), elementsOf(second)]).toEqual([{ L4: 'LH1' }, { L4: 'LH2' }])
  })

  it('has as many whole items as fit in the item', () => {
    const parameters = {
      'airline.passengers[0].name': 'Jane',
      'airline.passengers[1].name': 'Joe',
      ...itemsOf(1_000, { flightNumber: 'LH123', departureAirport: 'MUC' }, leg),
    }
    const { NP: number, P0: passenger = '', P1: next } = elementsOf(fieldOf(122, parameters))
    const { P2: name, NL: count, ...legs } = elementsOf(passenger)
    expect([number, name, count, next]).toEqual(['2', 'Jane', '1000', undefined])
    expect(Object.keys(legs).length).toBeGreaterThan(35)
    for (const encoded of Object.values(legs)) expect(elementsOf(encoded)).toEqual({ L4: 'LH123', L8: 'MUC' })
  })
})

it('has the entries of a map with their keys', () => {
  const parameters = { 'merchant.data[store]': '12', 'merchant.data[till.no]': '3', 'merchant.legalName': 'Acme' }
  expect(fieldOf(121, parameters)).toBe('MP004AcmeND0012D0008store=12D1009till.no=3')
})
