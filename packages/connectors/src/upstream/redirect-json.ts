import { parseUrl } from '@tollgate/contract'
import type { Precondition, Redirect, RedirectParameter } from '../port.ts'
import { isObject, type Json, textIn } from './json.ts'
import { limits } from './limits.ts'

/** The page for the shopper in an answer; undefined: it has none. invalid: it has one that no browser may follow. */
export function redirectOf(value: unknown): Redirect | 'invalid' | undefined {
  if (value === undefined || value === null) return undefined
  if (!isObject(value)) return 'invalid'
  const form = formIn(value)
  const preconditions = preconditionsOf(value['preconditions'])
  if (!form || !preconditions) return 'invalid'
  return preconditions.length === 0 ? form : { ...form, preconditions }
}

/** An address with a method and parameters; undefined if it is malformed. */
function formIn(json: Json): Pick<Redirect, 'url' | 'method' | 'parameters'> | undefined {
  const url = textIn(json, 'url', limits.urlCharsMax)
  const parameters = parametersOf(json['parameters'])
  if (url === undefined || !/^https?:\/\//.test(url) || !parseUrl(url) || !parameters) return undefined
  const sent = json['method']
  if (sent !== undefined && sent !== 'GET' && sent !== 'POST') return undefined
  return { url, method: sent ?? (parameters.length > 0 ? 'POST' : 'GET'), parameters }
}

function parametersOf(list: unknown): readonly RedirectParameter[] | undefined {
  if (list === undefined) return []
  if (!Array.isArray(list) || list.length > limits.redirectParametersMax) return undefined
  const parameters = list.map((json: unknown): RedirectParameter | undefined => {
    if (!isObject(json)) return undefined
    const name = textIn(json, 'name')
    const value = json['value']
    if (name === undefined || typeof value !== 'string' || value.length > limits.redirectValueCharsMax) return undefined
    return { name, value }
  })
  return parameters.every((parameter) => parameter !== undefined) ? parameters : undefined
}

function preconditionsOf(list: unknown): readonly Precondition[] | undefined {
  if (list === undefined) return []
  if (!Array.isArray(list) || list.length > limits.preconditionsMax) return undefined
  const preconditions = list.map((json: unknown): Precondition | undefined => {
    if (!isObject(json)) return undefined
    const form = formIn(json)
    const origin = textIn(json, 'origin')
    const waitUntil = textIn(json, 'waitUntil')
    if (!form || origin === undefined || waitUntil === undefined) return undefined
    return { ...form, origin, waitUntil, description: textIn(json, 'description') ?? '' }
  })
  return preconditions.every((precondition) => precondition !== undefined) ? preconditions : undefined
}
