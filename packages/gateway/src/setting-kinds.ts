import { BlockList, isIP } from 'node:net'
import { parseUrl, SECOND_MS } from '@tollgate/contract'
import { limits } from './limits.ts'

/**
 * Parses the text of an environment variable.
 *
 * @param invalid creates the error of a violated requirement; the error never contains the text, which may be a secret
 */
export type SettingKind<T> = (text: string, invalid: (requirement: string) => Error) => T

export const text: SettingKind<string> = (value) => value

export const secret =
  (charsMin: number): SettingKind<string> =>
  (value, invalid) => {
    if (value.length < charsMin) throw invalid(`must have at least ${charsMin} characters`)
    return value
  }

export const choice =
  <const T extends string>(...choices: readonly T[]): SettingKind<T> =>
  (value, invalid) => {
    const chosen = choices.find((candidate) => candidate === value)
    if (chosen === undefined) throw invalid(`must be one of ${choices.join(', ')}`)
    return chosen
  }

export const onOff: SettingKind<boolean> = (value, invalid) => choice('on', 'off')(value, invalid) === 'on'

export const portNumber: SettingKind<number> = (value, invalid) => {
  if (!/^\d{1,5}$/.test(value) || Number(value) > limits.portMax) {
    throw invalid(`must be a port number from 0 to ${limits.portMax}`)
  }
  return Number(value)
}

export const portOrOff: SettingKind<number | 'off'> = (value, invalid) =>
  value === 'off' ? value : portNumber(value, (requirement) => invalid(`${requirement}, or off`))

/** Whole seconds, returned as milliseconds. */
export const secondsAsMs =
  (max: number): SettingKind<number> =>
  (value, invalid) => {
    if (!/^\d{1,9}$/.test(value) || Number(value) > max) throw invalid(`must be whole seconds from 0 to ${max}`)
    return Number(value) * SECOND_MS
  }

/** An address to which paths are appended, so a slash at its end is removed. */
export const webUrl: SettingKind<string> = (value, invalid) => {
  if (!/^https?:\/\//.test(value) || !parseUrl(value)) throw invalid('must be an http or https address')
  return value.replace(/\/$/, '')
}

export const postgresUrl: SettingKind<string> = (value, invalid) => {
  if (!['postgres:', 'postgresql:'].includes(parseUrl(value)?.protocol ?? '')) {
    throw invalid('must be an address of the form postgres://user:password@host:port/database')
  }
  return value
}

/** The address of a listener. An IPv6 address is in brackets. */
export interface HostAddress {
  readonly host: string
  readonly port: number
}

/** `host:port` of a listener on TCP. */
export const hostAddress: SettingKind<HostAddress> = (value, invalid) => {
  const [, bracketed, name, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9A-Za-z.-]+)):(\d{1,5})$/.exec(value) ?? []
  const host = bracketed ?? name
  if (host === undefined || Number(port) < 1 || Number(port) > limits.portMax)
    throw invalid('must be an address of the form host:port')
  return { host, port: Number(port) }
}

/** Addresses and networks, separated by commas. A network of length 0 is refused, because it contains all addresses. */
export const networks: SettingKind<BlockList> = (value, invalid) => {
  const list = new BlockList()
  const entries = value.split(',')
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
