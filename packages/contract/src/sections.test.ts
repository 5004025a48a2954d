import { expect, test } from 'vitest'
import { knownName } from './names.ts'
import { sections } from './sections.ts'

const rows = sections.flatMap((section) => section.rows.map((row) => ({ ...row, surface: section.surface })))

test('a name stands for one row of its surface', () => {
  const names = rows.map(({ surface, name }) => `${surface} ${name}`)
  expect(names.length).toBe(new Set(names).size)
})

test('every row is found by its name', () => {
  const concrete = (name: string) => name.replaceAll('[n]', '[0]').replace(/\[(name|key|brand)\]$/, '[abc]')
  const lost = rows.filter(
    ({ surface, name, format }) => format.kind !== 'header' && knownName(surface, concrete(name))?.row.name !== name,
  )
  expect(lost.map(({ name }) => name)).toEqual([])
})

test('secrets can be checked as bytes and are never echoed', () => {
  const secrets = rows.filter((row) => row.secret !== undefined)
  expect(secrets.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['card.number', 'card.cvv', 'bankAccount.iban', 'tokenAccount.number', 'giftCard.pin']),
  )
  expect(secrets.filter(({ format }) => format.acceptsBytes === undefined)).toEqual([])
  expect(secrets.filter(({ echo }) => echo)).toEqual([])
})

test('no parameter is a structure too, so that echoes can nest', () => {
  const names = rows.filter(({ echo }) => echo).map(({ name }) => name)
  const both = names.filter((name) =>
    names.some((other) => other.startsWith(`${name}.`) || other.startsWith(`${name}[`)),
  )
  expect(both).toEqual([])
})

test('maps have a format for their keys, nothing else has', () => {
  const isMap = (name: string) => /\[(?!n\]|CB-)/.test(name)
  expect(rows.filter(({ name, key }) => isMap(name) !== (key !== undefined))).toEqual([])
})

test('a wider format for older clients takes whatever the strict one takes', () => {
  const samples = [
    '10',
    '10.00',
    '1234567890.00',
    'true',
    'false',
    'DB',
    'abcdefgh',
    '+49 30 1',
    'PAYMENT',
    '5',
    'ab-cd',
  ]
  const widened = rows.flatMap(({ name, format, legacy }) => (legacy ? [{ name, format, legacy }] : []))
  expect(widened.length).toBeGreaterThan(20)
  for (const { name, format, legacy } of widened) {
    const taken = samples.filter((sample) => format.accepts(sample))
    expect([name, taken.length > 0]).toEqual([name, true])
    expect([name, taken.filter((sample) => !legacy.accepts(sample))]).toEqual([name, []])
  }
})
