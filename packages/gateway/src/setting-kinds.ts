import { BlockList, isIP } from 'node:net'
import { parseUrl, SECOND_MS } from '@tollgate/contract'
import { limits } from './limits.ts'

/**
 * Parses the text of an environment variable.
 *
 * @param invalid makes the error from the requirement that the text breaks; it never repeats the text, which may be a
 *   secret
 */
export type Kind<T> = (text: string, invalid: (requirement: string) => Error) => T

export const text: Kind<string> = (given) => given

export const secret =
  (charsMin: number): Kind<string> =>
  (given, invalid) => {
    if (given.length < charsMin) throw invalid(`must have at least ${charsMin} characters`)
    return given
  }

export const choice =
  <const T extends string>(...choices: readonly T[]): Kind<T> =>
  (given, invalid) => {
    const chosen = choices.find((value) => value === given)
    if (chosen === undefined) throw invalid(`must be one of ${choices.join(', ')}`)
    return chosen
  }

export const onOff: Kind<boolean> = (given, invalid) => choice('on', 'off')(given, invalid) === 'on'

export const portNumber: Kind<number> = (given, invalid) => {
  if (!/^\d{1,5}$/.test(given) || Number(given) > limits.portMax) {
    throw invalid(`must be a port number from 0 to ${limits.portMax}`)
  }
  return Number(given)
}

export const portOrOff: Kind<number | 'off'> = (given, invalid) =>
  given === 'off' ? given : portNumber(given, (requirement) => invalid(`${requirement}, or off`))

/** Whole seconds, as milliseconds. */
export const secondsAsMs =
  (max: number): Kind<number> =>
  (given, invalid) => {
    if (!/^\d{1,9}$/.test(given) || Number(given) > max) throw invalid(`must be whole seconds from 0 to ${max}`)
    return Number(given) * SECOND_MS
  }

/** An address to which paths are appended: without a slash at its end. */
export const webUrl: Kind<string> = (given, invalid) => {
  if (!/^https?:\/\//.test(given) || !parseUrl(given)) throw invalid('must be an http or https address')
  return given.replace(/\/$/, '')
}

export const postgresUrl: Kind<string> = (given, invalid) => {
  if (!['postgres:', 'postgresql:'].includes(parseUrl(given)?.protocol ?? '')) {
    throw invalid('must be an address of the form postgres://user:password@host:port/database')
  }
  return given
}

/** A network of length 0, which would be all addresses, is refused. */
export const networks: Kind<BlockList> = (given, invalid) => {
  const list = new BlockList()
  const entries = given.split(',')
  for (const network of entries) {
    const [, address = '', bits] = /^\s*([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?\s*$/.exec(network) ?? []
    const family = isIP(address)
    const longest = family === 4 ? 32 : 128
    const length = bits === undefined ? longest : Number(bits)
    if (family === 0 || length < 1 || length > longest || entries.length > limits.trustedProxiesMax) {
      throw invalid(
        `must be at most ${limits.trustedProxiesMax} addresses or networks, separated by commas, ` +
          'such as 10.1.0.5,10.2.0.0/16',
      )
    }
    list.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}
