import type { Random } from '../http/exchange.ts'

/** What lets one page run its own inline scripts, and no others: new for every answer. */
export const nonceFrom = (random: Random): string => Buffer.from(random(16)).toString('base64')
