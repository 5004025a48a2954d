import { sandboxIds } from '@tollgate/gateway'
import type { Request } from '../support/http.ts'
import { authorization } from '../support/payments.ts'
import type { Random } from '../support/random.ts'
import { additions, byteMutations, headerMutations, methods, pairMutations, pathMutations } from './mutations.ts'
import { type Pair, type ReferableIds, templates } from './templates.ts'

const formType = 'application/x-www-form-urlencoded; charset=UTF-8'

/** The login of older clients, which replaces the Authorization header and entityId. */
const login: readonly Pair[] = [
  ['authentication.userId', sandboxIds.user],
  ['authentication.password', 'sandbox'],
  ['authentication.entityId', sandboxIds.legacyChannel],
]

/** Generates a request that depends only on the random values. */
export function generateRequest(random: Random, ids: ReferableIds): Request {
  let { method, path, pairs } = random.pick(templates)(random, ids)
  for (let remaining = random.below(3); remaining > 0; remaining -= 1) pairs = random.pick(additions)(random, pairs)
  const hasLogin = random.chance(0.1)
  if (hasLogin) pairs = [...login, ...pairs.filter(([name]) => name !== 'entityId')]
  if (random.chance(0.35)) {
    for (let remaining = 1 + random.below(3); remaining > 0; remaining -= 1)
      pairs = random.pick(pairMutations)(random, pairs)
  }
  let body: Buffer = Buffer.from(pairs.map((pair) => encodePair(random, pair)).join('&'))
  if (random.chance(0.2)) {
    for (let remaining = 1 + random.below(4); remaining > 0; remaining -= 1)
      body = random.pick(byteMutations)(random, body)
  }
  if (random.chance(0.1)) path = random.pick(pathMutations)(random, path)
  if (random.chance(0.05)) method = random.pick(methods)
  // HEAD is sent without mutated headers: the parser answers an overlong head with a body, which clients do not expect.
  if (method === 'HEAD') return { method, path, headers: authorization }
  const headers = {
    ...(hasLogin ? {} : authorization),
    'content-type': formType,
    ...(random.chance(0.2) && random.pick(headerMutations)(random)),
  }
  if (random.chance(method === 'POST' ? 0.05 : 0.9)) {
    return { method, path: `${path}?${body.toString('latin1').replaceAll(/[^!-~]|#/g, '%')}`, headers }
  }
  return { method, path, headers, body }
}

const encodePair = ({ chance }: Random, [name, value]: Pair): string => {
  const bytes = (text: string) => Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`)
  if (chance(0.03)) return `${bytes(name).join('')}=${bytes(value).join('')}`
  if (chance(0.03)) return `${name}=${value}`
  // The text is converted to bytes first, because a lone surrogate cannot be encoded.
  const escaped = (text: string) => encodeURIComponent(Buffer.from(text).toString())
  return `${escaped(name)}=${escaped(value)}`
}
