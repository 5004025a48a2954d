import { BlockList, isIP } from 'node:net'
import { parseUrl, SECOND_MS } from '@tollgate/contract'
import { limits } from './limits.ts'

/**
 * Reads the text of an environment variable.
 *
 * @param wrong makes the error from a description of valid texts; it never repeats the text, which may be a secret
 */
export type Kind<T> = (text: string, wrong: (must: string) => Error) => T

export const text: Kind<string> = (given) => given

export const secret =
  (charsMin: number): Kind<string> =>
  (given, wrong) => {
    if (given.length < charsMin) throw wrong(`must have at least ${charsMin} characters`)
    return given
  }

export const choice =
  <const T extends string>(...choices: readonly T[]): Kind<T> =>
  (given, wrong) => {
    const chosen = choices.find((each) => each === given)
    if (chosen === undefined) throw wrong(`must be one of ${choices.join(', ')}`)
    return chosen
  }

export const onOff: Kind<boolean> = (given, wrong) => choice('on', 'off')(given, wrong) === 'on'

export const portNumber: Kind<number> = (given, wrong) => {
  if (!/^\d{1,5}$/.test(given) || Number(given) > limits.portMax) {
    throw wrong(`must be a port number from 0 to ${limits.portMax}`)
  }
  return Number(given)
}

export const portOrOff: Kind<number | 'off'> = (given, wrong) =>
  given === 'off' ? given : portNumber(given, (must) => wrong(`${must}, or off`))

/** Whole seconds, as milliseconds. */
export const secondsAsMs =
  (max: number): Kind<number> =>
  (given, wrong) => {
    if (!/^\d{1,9}$/.test(given) || Number(given) > max) throw wrong(`must be whole seconds from 0 to ${max}`)
    return Number(given) * SECOND_MS
  }

/** An address to which paths are appended: without a slash at its end. */
export const webUrl: Kind<string> = (given, wrong) => {
  if (!/^https?:\/\//.test(given) || !parseUrl(given)) throw wrong('must be an http or https address')
  return given.replace(/\/$/, '')
}

export const postgresUrl: Kind<string> = (given, wrong) => {
  if (!['postgres:', 'postgresql:'].includes(parseUrl(given)?.protocol ?? '')) {
    throw wrong('must be an address of the form postgres://user:password@host:port/database')
  }
  return given
}

/** A network of length 0 would be all addresses: not accepted. */
export const networks: Kind<BlockList> = (given, wrong) => {
  const list = new BlockList()
  const each = given.split(',')
  for (const network of each) {
    const [, address = '', bits] = /^\s*([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?\s*$/.exec(network) ?? []
    const family = isIP(address)
    const longest = family === 4 ? 32 : 128
    const length = bits === undefined ? longest : Number(bits)
    if (family === 0 || length < 1 || length > longest || each.length > limits.trustedProxiesMax) {
      throw wrong(
        `must be at most ${limits.trustedProxiesMax} addresses or networks with commas, as 10.1.0.5,10.2.0.0/16`,
      )
    }
    list.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}
