import { rows, samplesFor } from '../contract/samples.ts'
import type { Random } from '../support/random.ts'
import type { Pair } from './templates.ts'

// The mutations make a request longer, unusual or invalid, as clients, proxies and attackers do.

const paymentRows = rows().filter(({ surface }) => surface === 'payment')
const samples = paymentRows.flatMap(samplesFor)
const titles = [...new Set(paymentRows.map(({ section }) => section))]
const sections = titles.map((title) => paymentRows.filter(({ section }) => section === title))

const replaceAt = <T>(items: readonly T[], index: number, replacements: readonly T[]): readonly T[] => [
  ...items.slice(0, index),
  ...replacements,
  ...items.slice(index + 1),
]

/** Replaces a random pair, if there is one. */
const replacePair =
  (replacements: (random: Random, pair: Pair) => readonly Pair[]) =>
  (random: Random, pairs: readonly Pair[]): readonly Pair[] => {
    const index = random.below(pairs.length)
    const pair = pairs[index]
    return pair ? replaceAt(pairs, index, replacements(random, pair)) : pairs
  }

/** Adds a parameter of the contract with a value at its bounds or just past them. */
const addSample = (random: Random, pairs: readonly Pair[]): readonly Pair[] => {
  const { name, value } = random.pick(samples)
  return [...pairs, [name, value]]
}

/** Adds about half of the parameters of a section with valid values, and replaces existing ones. */
const addStructure = (random: Random, pairs: readonly Pair[]): readonly Pair[] => {
  const added = random.pick(sections).flatMap((row): readonly Pair[] => {
    const valid = samplesFor(row).filter((sample) => sample.isValid)
    if (valid.length === 0 || random.chance(0.5)) return []
    const { name, value } = random.pick(valid)
    return [[name, value]]
  })
  const names = new Set(added.map(([name]) => name))
  return [...pairs.filter(([name]) => !names.has(name)), ...added]
}

/** Mutations after which a form is usually valid. */
export const additions = [
  addStructure,
  addStructure,
  ({ below, pick }: Random, pairs: readonly Pair[]): readonly Pair[] => {
    const field = pick(['name', 'price', 'quantity', 'nothing'])
    const items = Array.from({ length: below(60) }, (_, n): Pair => [`cart.items[${n * 17}].${field}`, '1'])
    return [...pairs, ...items]
  },
] as const

const unusualNames = [
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

const unusualValues = [
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

/** Mutations after which a form is usually invalid. */
export const pairMutations: readonly ((random: Random, pairs: readonly Pair[]) => readonly Pair[])[] = [
  addSample,
  addSample,
  replacePair(() => []),
  replacePair((_, pair) => [pair, pair]),
  replacePair((_, [name]) => [[name, '']]),
  replacePair(({ pick }, [name]) => [[name, pick(unusualValues)]]),
  replacePair(({ pick }, [, value]) => [[pick(unusualNames), value]]),
  replacePair(({ pick }, [name]) => [[name, pick(samples).value]]),
  replacePair((_, [name, value]) => [[value, name]]),
  (random, pairs) => [...pairs, [random.pick(unusualNames), random.pick(unusualValues)]],
]

/** Replaces some bytes at a random position. */
const splice =
  (removed: number, inserted: (random: Random) => readonly number[]) =>
  (random: Random, body: Buffer): Buffer => {
    const position = random.below(body.length + 1)
    const [before, after] = [body.subarray(0, position), body.subarray(position + removed)]
    return Buffer.concat([before, Buffer.from(inserted(random)), after])
  }

const ascii = (text: string) => (): readonly number[] => [...Buffer.from(text)]

/** Mutations of the bytes of a body. */
export const byteMutations: readonly ((random: Random, body: Buffer) => Buffer)[] = [
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

export const pathMutations: readonly ((random: Random, path: string) => string)[] = [
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

/** Headers that are added to the valid ones, or replace them. */
export const headerMutations: readonly ((random: Random) => Readonly<Record<string, string>>)[] = [
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
