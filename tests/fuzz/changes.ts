import { rows, samplesFor } from '../contract/samples.ts'
import type { Random } from '../support/random.ts'
import type { Pair } from './drafts.ts'

// What makes a request longer, odder or worse, in ways that clients, proxies and attackers have thought of.

const ownRows = rows().filter(({ surface }) => surface === 'payment')
const samples = ownRows.flatMap(samplesFor)
const titles = [...new Set(ownRows.map(({ section }) => section))]
const sections = titles.map((title) => ownRows.filter(({ section }) => section === title))

const at = <T>(items: readonly T[], index: number, changed: readonly T[]): readonly T[] => [
  ...items.slice(0, index),
  ...changed,
  ...items.slice(index + 1),
]

/** Replaces a random pair, if there is one. */
const change =
  (others: (random: Random, pair: Pair) => readonly Pair[]) =>
  (random: Random, pairs: readonly Pair[]): readonly Pair[] => {
    const index = random.below(pairs.length)
    const pair = pairs[index]
    return pair ? at(pairs, index, others(random, pair)) : pairs
  }

/** A parameter as the contract's tables have it: at its bounds, or just past them. */
const addSample = (random: Random, pairs: readonly Pair[]): readonly Pair[] => {
  const { name, value } = random.pick(samples)
  return [...pairs, [name, value]]
}

/** About half of the parameters of a section, each with a valid value, in place of those that are there. */
const addStructure = (random: Random, pairs: readonly Pair[]): readonly Pair[] => {
  const added = random.pick(sections).flatMap((row): readonly Pair[] => {
    const valid = samplesFor(row).filter((sample) => sample.valid)
    if (valid.length === 0 || random.chance(0.5)) return []
    const { name, value } = random.pick(valid)
    return [[name, value]]
  })
  const names = new Set(added.map(([name]) => name))
  return [...pairs.filter(([name]) => !names.has(name)), ...added]
}

/** What leaves a form valid more often than not. */
export const additions = [
  addStructure,
  addStructure,
  ({ below, pick }: Random, pairs: readonly Pair[]): readonly Pair[] => {
    const field = pick(['name', 'price', 'quantity', 'nothing'])
    const items = Array.from({ length: below(60) }, (_, n): Pair => [`cart.items[${n * 17}].${field}`, '1'])
    return [...pairs, ...items]
  },
] as const

const oddNames = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'customParameters[__proto__]',
  'customParameters[constructor]',
  'customParameters[a][b]',
  '__proto__[entityId]',
  'cart.items[__proto__].name',
  'cart.items[0].__proto__',
  'cart.items[00].name',
  'cart.items[-1].name',
  'cart.items[1e3].name',
  'cart.items[999999999999999999999].name',
  'cart.items[0',
  'cart.items]0[.name',
  '[0]',
  '.',
  'card',
  'card.',
  'card..number',
  'card.number.',
  'card[number]',
  `card${'.card'.repeat(50)}`,
  `cart.items${'[0]'.repeat(500)}.name`,
  'CARD.NUMBER',
  'entityid',
  ' entityId',
  'a'.repeat(5000),
] as const

const oddValues = [
  '0',
  '-1',
  '1e999',
  'NaN',
  'null',
  'true',
  '[]',
  '{"a":1}',
  '\u0000',
  '\u202e',
  '\ufeff',
  '\ud83d\ude00'.repeat(64),
  '\u0130',
  ' ',
  '\r\n',
  "' OR 1=1 --",
  '<script>',
  '4111111111111111',
  '9'.repeat(400),
  'x'.repeat(10_000),
] as const

/** What most likely makes a form wrong. */
export const pairChanges: readonly ((random: Random, pairs: readonly Pair[]) => readonly Pair[])[] = [
  addSample,
  addSample,
  change(() => []),
  change((_, pair) => [pair, pair]),
  change((_, [name]) => [[name, '']]),
  change(({ pick }, [name]) => [[name, pick(oddValues)]]),
  change(({ pick }, [, value]) => [[pick(oddNames), value]]),
  change(({ pick }, [name]) => [[name, pick(samples).value]]),
  change((_, [name, value]) => [[value, name]]),
  (random, pairs) => [...pairs, [random.pick(oddNames), random.pick(oddValues)]],
]

/** Replaces some bytes at a random position. */
const splice =
  (removed: number, inserted: (random: Random) => readonly number[]) =>
  (random: Random, body: Buffer): Buffer => {
    const place = random.below(body.length + 1)
    return Buffer.concat([body.subarray(0, place), Buffer.from(inserted(random)), body.subarray(place + removed)])
  }

const ascii = (text: string) => (): readonly number[] => [...Buffer.from(text)]

/** What makes a body wrong as a whole. */
export const byteChanges: readonly ((random: Random, body: Buffer) => Buffer)[] = [
  splice(1, ({ below }) => [below(256)]),
  splice(0, ({ below }) => Array.from({ length: 1 + below(20) }, () => below(256))),
  splice(5, () => []),
  splice(0, ascii('%')),
  splice(2, ascii('%4')),
  splice(0, ascii('%zz')),
  splice(0, ascii('%00')),
  splice(0, ascii('%ed%a0%80')),
  splice(0, ascii('%f4%90%80%80')),
  splice(0, () => [0xc3]),
  splice(0, () => [0xff, 0xfe]),
  splice(0, ascii('&&==&=')),
  splice(0, ascii(';')),
  splice(0, ascii('+')),
  ({ below }, body) => body.subarray(0, below(body.length + 1)),
  (_, body) => Buffer.concat([body, Buffer.from('&'), body]),
]

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PURGE', 'QUERY'] as const

export const pathChanges: readonly ((random: Random, path: string) => string)[] = [
  (_, path) => `${path}/`,
  (_, path) => `${path}//`,
  (_, path) => `/${path}`,
  (_, path) => path.toUpperCase(),
  (_, path) => path.replace('v1', 'v2'),
  (_, path) => path.slice(0, -1),
  (_, path) => `${path}0`,
  (_, path) => `${path}/..`,
  (_, path) => `${path}%2f..`,
  (_, path) => `${path}%zz`,
  (_, path) => `${path}%00`,
  (_, path) => `${path}%c3`,
  (_, path) => `${path}%`,
  (_, path) => `${path}?`,
  (_, path) => `${path}/${'a'.repeat(2000)}`,
  (_, path) => path.replace(/[0-9a-f]{32}/, '__proto__'),
  (_, path) => path.replace(/[0-9a-f]{32}/, "'"),
  () => '/v1/payments/',
  () => '/v1/registrations//payments',
  () => '*',
]

/** Headers besides those that are right, or in their place. */
export const headerChanges: readonly ((random: Random) => Readonly<Record<string, string>>)[] = [
  ({ pick }) => ({ 'idempotency-key': pick(['a', 'b', 'c', '', ' ', 'k'.repeat(255), 'k'.repeat(256), 'a\tb', 'é']) }),
  ({ below }) => ({ 'idempotency-key': `key-${below(200)}` }),
  ({ pick }) => ({
    authorization: pick(['', 'Bearer', 'Bearer ', 'bearer x', 'Basic eDp5', `Bearer ${'x'.repeat(5000)}`]),
  }),
  ({ pick }) => ({
    'content-type': pick([
      'application/x-www-form-urlencoded',
      'application/x-www-form-urlencoded; charset=utf-8',
      'application/x-www-form-urlencoded; charset="UTF-8"; boundary=x',
      'application/x-www-form-urlencoded; charset=iso-8859-1',
      'application/x-www-form-urlencoded; charset=',
      'APPLICATION/X-WWW-FORM-URLENCODED',
      'application/json',
      'multipart/form-data; boundary=x',
      'text/plain',
      'nonsense',
      ';',
      '',
    ]),
  }),
  ({ pick }) => ({ 'content-encoding': pick(['gzip', 'br', 'identity', 'nonsense']) }),
  ({ pick }) => ({ accept: pick(['text/html', '*/*', 'nonsense', '']) }),
  ({ pick }) => ({ expect: pick(['100-continue', 'nonsense']) }),
  ({ pick }) => ({ 'x-forwarded-for': pick(['127.0.0.1', "'", 'é']) }),
  () => ({ connection: 'close' }),
  () => ({ 'transfer-encoding': 'chunked' }),
  ({ below }) => ({ 'x-padding': 'x'.repeat(below(20_000)) }),
]
