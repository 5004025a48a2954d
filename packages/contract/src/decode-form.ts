/**
 * From the bytes of a form body to parameters. Secrets are found, copied and erased in the bytes; only then does the
 * rest become one string, which is sliced. Unknown names are ignored, empty values mean absent.
 */
import { maskCardNumbers } from './card-number.ts'
import { spells, unescapeBytes } from './decode-bytes.ts'
import { NAME_ESCAPED, NOT_ASCII, type Pair, splitPairs, VALUE_ESCAPED } from './decode-pairs.ts'
import { type Form, MASK, type ParameterError } from './form.ts'
import { limits } from './limits.ts'
import { takeLogin } from './login.ts'
import { CARD_NUMBER, type Known, type Misnamed, type ParameterName, readName, secretNames } from './names.ts'
import type { Surface } from './row.ts'
import { Secret } from './secret.ts'

/**
 * Decodes application/x-www-form-urlencoded bytes: a request body, or the query string of a GET or DELETE.
 *
 * @param body in UTF-8, without the `?` of a query string; overwritten with zeros before this returns
 * @param surface whose names count
 * @returns a form, which the caller wipes; decoding problems are listed in `problems`; never throws
 */
export function decodeForm(body: Uint8Array, surface: Surface = 'payment'): Form {
  const sent: Known[] = []
  const values = new Map<ParameterName, string>()
  const secrets = new Map<ParameterName, Secret>()
  const repeated = new Set<ParameterName>()
  const problems = new Map<string, ParameterError>()
  const refuse = (name: string, value: string, message: string): void =>
    void problems.set(name, { name, value, message })
  /** The last value counts: earlier ones of the name are dropped. Called for each parameter. */
  const note = (known: Known, isKept: boolean): void => {
    if (!isKept) sent.push(known)
    if (isKept || (problems.size > 0 && problems.delete(known.name))) repeated.add(known.name)
  }

  const pairs = splitPairs(body, limits.pairsMax + 1)
  const isTooLarge = pairs.length > limits.pairsMax
  if (isTooLarge) {
    pairs.length = 0
    refuse('', '', `must be at most ${limits.pairsMax} parameters`)
  }

  const login = takeLogin(body, pairs)
  // The caller has been authenticated already.
  login?.password?.wipe()

  const unknown: string[] = []
  const open: Pair[] = []
  for (const pair of pairs) {
    const known = secretAt(surface, body, pair)
    if (known === undefined) open.push(pair)
    else {
      const bytes = unescapeBytes(body, pair.equals + 1, pair.end)
      body.fill(0, pair.start, pair.end)
      if (bytes === undefined) refuse(known.name, MASK, NOT_TEXT)
      else {
        const earlier = secrets.get(known.name)
        note(known, earlier !== undefined)
        earlier?.wipe()
        secrets.set(known.name, new Secret(bytes))
      }
    }
  }

  const rest = open.length === 0 ? '' : singleBytes.decode(body)
  for (const pair of open) {
    const known = nameAt(surface, body, rest, pair)
    if (known === undefined) {
      if (surface !== 'payment' && pair.end > pair.equals + 1) unknown.push(shownName(body, rest, pair))
      continue
    }
    const { row } = known
    const value = textOf(body, rest, pair.equals + 1, pair.end, pair.marks & (VALUE_ESCAPED | NOT_ASCII))
    if (value === '' && row.takesEmpty !== true) continue
    if (value === undefined) refuse(known.name, '', NOT_TEXT)
    else if (known.wrong !== undefined) refuse(known.name, value, known.wrong)
    else {
      const masked = row.pan === 'accept' ? value : maskCardNumbers(value)
      if (row.pan === 'refuse' && masked !== value) refuse(known.name, MASK, CARD_NUMBER)
      else {
        const { size } = values
        values.set(known.name, masked)
        note(known, values.size === size)
      }
    }
  }

  body.fill(0)
  return {
    surface,
    sent,
    values,
    secrets,
    repeated: [...repeated],
    problems: [...problems.values()],
    isTooLarge,
    unknown,
    loginEntityId: login?.entityId,
    wipe: () => secrets.forEach((secret) => secret.wipe()),
  }
}

const NOT_TEXT = 'must be UTF-8, percent-encoded'

/** One character a byte, so that offsets into bytes and text agree; bytes above 127 are read by `utf8` instead. */
const singleBytes = new TextDecoder('latin1')
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

interface SecretName {
  readonly bytes: Uint8Array
  readonly known: Known
}

interface SecretNames {
  readonly all: readonly SecretName[]
  /** By length in bytes: one look-up shows that most parameters are no secrets. */
  readonly byLength: readonly (readonly SecretName[] | undefined)[]
}

function secretsOf(surface: Surface): SecretNames {
  const all = Array.from(secretNames(surface), ([name, known]) => ({ bytes: new TextEncoder().encode(name), known }))
  const longest = Math.max(0, ...all.map(({ bytes }) => bytes.length))
  const ofLength = (length: number) => all.filter(({ bytes }) => bytes.length === length)
  return { all, byLength: Array.from({ length: longest + 1 }, (_, length) => ofLength(length)) }
}

const secretTable: Readonly<Record<Surface, SecretNames>> = {
  payment: secretsOf('payment'),
  query: secretsOf('query'),
  report: secretsOf('report'),
}

/** The secret parameter that the pair names, read byte by byte: nothing of the pair may become a string before. */
function secretAt(surface: Surface, body: Uint8Array, { start, equals, marks }: Pair): Known | undefined {
  const { all, byLength } = secretTable[surface]
  const candidates = (marks & NAME_ESCAPED) === 0 ? byLength[equals - start] : all
  if (candidates === undefined) return undefined
  for (const { bytes, known } of candidates) if (spells(body, start, equals, bytes)) return known
  return undefined
}

function nameAt(
  surface: Surface,
  body: Uint8Array,
  rest: string,
  { start, equals, marks }: Pair,
): Known | Misnamed | undefined {
  if (equals - start > limits.nameBytesMax) return undefined
  const name = textOf(body, rest, start, equals, marks & (NAME_ESCAPED | NOT_ASCII))
  return name === undefined ? undefined : readName(surface, name)
}

/** An unknown name as errors repeat it: no longer than any known one, card numbers masked. */
function shownName(body: Uint8Array, rest: string, { start, equals, marks }: Pair): string {
  const end = Math.min(equals, start + limits.nameBytesMax)
  // The password of a login has been wiped.
  if (body[start] === 0) return 'authentication.password'
  return maskCardNumbers(textOf(body, rest, start, end, marks & (NAME_ESCAPED | NOT_ASCII)) ?? rest.slice(start, end))
}

/** Text between two offsets, decoded; undefined when an escape is broken or the bytes are not UTF-8. */
function textOf(body: Uint8Array, rest: string, start: number, end: number, marks: number): string | undefined {
  if (marks === 0) return rest.slice(start, end)
  try {
    if ((marks & NOT_ASCII) === 0) return decodeURIComponent(rest.slice(start, end).replaceAll('+', ' '))
    const bytes = unescapeBytes(body, start, end)
    return bytes && utf8.decode(bytes)
  } catch {
    return undefined
  }
}
