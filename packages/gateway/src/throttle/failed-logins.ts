import { isIPv6 } from 'node:net'
import { limits } from '../limits.ts'
import type { RateCounters } from './rate-counters.ts'
import { createThrottle } from './throttle.ts'

/** Counts wrong credentials by the address that sent them, on both listeners together. */
export interface FailedLogins {
  /**
   * Counts a wrong credential. Valid ones are never delayed, because many clients may share an address, and one client
   * must not lock out another.
   *
   * @param address the remote address of the connection; undefined once it is closed
   * @returns 0 below the limit; otherwise the milliseconds for which further wrong credentials are refused with 429
   */
  record(address: string | undefined, nowMs: number): number
}

export function createFailedLogins(rateCounters: Pick<RateCounters, 'share'>): FailedLogins {
  const throttle = rateCounters.share('failed logins', createThrottle(limits.throttleWindowMs, limits.throttleKeysMax))
  return {
    record: (address, nowMs) => throttle.take(networkOf(address ?? ''), limits.failedLoginsPerMinute, nowMs),
  }
}

/**
 * The part of an address by which its requests are counted: the /64 prefix of an IPv6 address, because one client
 * usually has all addresses of a /64; the whole IPv4 address, also if it is embedded in an IPv6 address.
 */
export function networkOf(address: string): string {
  const embedded = address.slice(address.lastIndexOf(':') + 1)
  if (embedded.includes('.') || !isIPv6(address)) return embedded
  const [head = ''] = address.split('::', 1)
  const groups = head === '' ? [] : head.split(':')
  return Array.from({ length: 4 }, (_, index) => groups[index] ?? '0').join(':')
}
