/**
 * Decodes the bytes of a form body to parameters. Secrets are copied and erased in the bytes first; then the rest is
 * decoded to one string, which is sliced. Unknown names are ignored in payments, and listed in queries and reports; an
 * empty value means that the parameter is absent, unless its row accepts empty values.
 */
import { maskCardNumbers } from './card-number.ts'
import { encodesName, unescapeBytes, unescapeValue } from './decode-bytes.ts'
import {
  NAME_ESCAPED,
  NOT_ASCII,
  type Pair,
  splitPairs,
  VALUE_ESCAPED,
  VALUE_INVALID,
  VALUE_NOT_ASCII,
} from './decode-pairs.ts'
import { type Form, MASK, type ParameterError } from './form.ts'
import { limits } from './limits.ts'
import { extractLogin } from './login.ts'
import {
  CARD_NUMBER_FORBIDDEN,
  type KnownParameter,
  type MisnamedParameter,
  type ParameterName,
  parseName,
  secretNames,
} from './names.ts'
import type { Surface } from './row.ts'
import { Secret } from './secret.ts'

/**
 * Decodes application/x-www-form-urlencoded bytes: a request body, or the query string of a GET or DELETE.
 *
 * @param body in UTF-8, without the `?` of a query string; overwritten with zeros before this returns
 * @param surface the surface of the parameters; names of other surfaces are unknown
 * @returns a form, which the caller wipes; decoding problems are listed in `problems`; never throws
 */
export function decodeForm(body: Uint8Array, surface: Surface = 'payment'): Form {
  const sent: KnownParameter[] = []
  const values = new Map<ParameterName, string>()
  const secrets = new Map<ParameterName, Secret>()
  const repeated = new Set<ParameterName>()
  const problems = new Map<string, ParameterError>()
  const addProblem = (name: string, value: string, message: string): void =>
    void problems.set(name, { name, value, message })
  /** Adds a parameter to `sent` once. Of a repeated parameter, the last value counts: earlier problems are removed. */
  const addParameter = (parameter: KnownParameter, isRepeated: boolean): void => {
    if (!isRepeated) sent.push(parameter)
    const hadProblem = problems.size > 0 && problems.delete(parameter.name)
    if (isRepeated || hadProblem) repeated.add(parameter.name)
  }

  const pairs = splitPairs(body, limits.pairsMax + 1)
  const isTooLarge = pairs.length > limits.pairsMax
  if (isTooLarge) {
    pairs.length = 0
    addProblem('', '', `must be at most ${limits.pairsMax} parameters`)
  }

  const login = extractLogin(body, pairs)
  // A form never contains a password: `decodeLogin` reads it for authentication, before the form is decoded.
  login?.password?.wipe()

  const unknown: string[] = []
  const otherPairs: Pair[] = []
  for (const pair of pairs) {
    const parameter = secretParameterAt(surface, body, pair)
    if (parameter === undefined) otherPairs.push((pair.flags & VALUE_ESCAPED) === 0 ? pair : unescapeValue(body, pair))
    else {
      const bytes = unescapeBytes(body, pair.equals + 1, pair.end)
      body.fill(0, pair.start, pair.end)
      if (bytes === undefined) addProblem(parameter.name, MASK, NOT_TEXT)
      else {
        const earlier = secrets.get(parameter.name)
        addParameter(parameter, earlier !== undefined)
        earlier?.wipe()
        secrets.set(parameter.name, new Secret(bytes))
      }
    }
  }

  const rest = otherPairs.length === 0 ? '' : latin1.decode(body)
  for (const pair of otherPairs) {
    const parameter = parameterAt(surface, body, rest, pair)
    if (parameter === undefined) {
      if (surface !== 'payment' && pair.end > pair.equals + 1) unknown.push(displayedName(body, rest, pair))
      continue
    }
    const { row } = parameter
    const value = valueOf(body, rest, pair)
    if (value === '' && row.acceptsEmpty !== true) continue
    if (value === undefined) addProblem(parameter.name, '', NOT_TEXT)
    else if (parameter.fault !== undefined) addProblem(parameter.name, value, parameter.fault)
    else {
      const masked = row.pan === 'accept' ? value : maskCardNumbers(value)
      if (row.pan === 'refuse' && masked !== value) addProblem(parameter.name, MASK, CARD_NUMBER_FORBIDDEN)
      else {
        const { size } = values
        values.set(parameter.name, row.format.codes?.get(masked) ?? masked)
        addParameter(parameter, values.size === size)
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

/**
 * One character per byte, so that offsets into bytes and text agree; text with bytes above 127 is decoded by `utf8`.
 */
const latin1 = new TextDecoder('latin1')
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

interface SecretName {
  readonly bytes: Uint8Array
  readonly parameter: KnownParameter
}

interface SecretNames {
  readonly all: readonly SecretName[]
  /** By length in bytes, so that one look-up excludes most parameters. */
  readonly byLength: readonly (readonly SecretName[] | undefined)[]
}

function secretNamesOf(surface: Surface): SecretNames {
  const all = Array.from(secretNames(surface), ([name, parameter]) => ({
    bytes: new TextEncoder().encode(name),
    parameter,
  }))
  const longest = Math.max(0, ...all.map(({ bytes }) => bytes.length))
  const namesOfLength = (length: number) => all.filter(({ bytes }) => bytes.length === length)
  return { all, byLength: Array.from({ length: longest + 1 }, (_, length) => namesOfLength(length)) }
}

const secretNamesBySurface: Readonly<Record<Surface, SecretNames>> = {
  payment: secretNamesOf('payment'),
  query: secretNamesOf('query'),
  report: secretNamesOf('report'),
}

/**
 * The secret parameter with the name of the pair. Names are compared as bytes, because the body must not become a
 * string before its secrets are erased.
 */
function secretParameterAt(
  surface: Surface,
  body: Uint8Array,
  { start, equals, flags }: Pair,
): KnownParameter | undefined {
  const { all, byLength } = secretNamesBySurface[surface]
  const candidates = (flags & NAME_ESCAPED) === 0 ? byLength[equals - start] : all
  if (candidates === undefined) return undefined
  for (const { bytes, parameter } of candidates) if (encodesName(body, start, equals, bytes)) return parameter
  return undefined
}

function parameterAt(
  surface: Surface,
  body: Uint8Array,
  rest: string,
  { start, equals, flags }: Pair,
): KnownParameter | MisnamedParameter | undefined {
  if (equals - start > limits.nameBytesMax) return undefined
  const name = textOf(body, rest, start, equals, flags & (NAME_ESCAPED | NOT_ASCII))
  return name === undefined ? undefined : parseName(surface, name)
}

/** An unknown name for an error: its first `limits.nameBytesMax` bytes, percent-decoded, with card numbers masked. */
function displayedName(body: Uint8Array, rest: string, { start, equals, flags }: Pair): string {
  const end = Math.min(equals, start + limits.nameBytesMax)
  // Of the pairs without a secret parameter, only the password of a login is already erased.
  if (body[start] === 0) return 'authentication.password'
  return maskCardNumbers(textOf(body, rest, start, end, flags & (NAME_ESCAPED | NOT_ASCII)) ?? rest.slice(start, end))
}

/** The text between two offsets of form-encoded bytes; undefined if an escape is invalid or the bytes are not UTF-8. */
function textOf(body: Uint8Array, rest: string, start: number, end: number, flags: number): string | undefined {
  if (flags === 0) return rest.slice(start, end)
  const bytes = unescapeBytes(body, start, end)
  return bytes && decodeUtf8(bytes)
}

/** The value of a pair that is decoded already; undefined if an escape was invalid or the bytes are not UTF-8. */
function valueOf(body: Uint8Array, rest: string, { equals, end, flags }: Pair): string | undefined {
  if ((flags & (VALUE_INVALID | VALUE_NOT_ASCII | NOT_ASCII)) === 0) return rest.slice(equals + 1, end)
  return (flags & VALUE_INVALID) === 0 ? decodeUtf8(body.subarray(equals + 1, end)) : undefined
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}
