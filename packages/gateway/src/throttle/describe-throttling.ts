import { operations, servedOperations } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { requestsAMinute } from './requests-a-minute.ts'

/** The reference of what is throttled, Markdown, made from the table that the gateway runs on. */
export function describeThrottling(): string {
  const grouped = (count: number) => count.toLocaleString('en-GB')
  const rows = servedOperations.map((name) => {
    const { method, path } = operations[name]
    const { test, live } = requestsAMinute[name]
    return `| \`${name}\` | \`${method} ${path}\` | ${grouped(test)} | ${grouped(live)} |`
  })
  return [
    '# Throttling',
    '',
    'How many requests of one operation an entity may send within any minute, unless the setting `throttle` says',
    'otherwise for it or for one above it. What is more is answered with 429, `800.120.100` and `Retry-After`. [The',
    'guide for operators](../guides/operate.md#too-many-requests) says how they are counted. This page is generated',
    'from the gateway’s own table.',
    '',
    '| operation | | test | live |',
    '|---|---|---:|---:|',
    ...rows,
    '',
    'Requests that need no access token, documents and payment pages, are paced by the address that sends them:',
    `${grouped(limits.addressBurst)} at once, then ${grouped(limits.addressRequestsASecond)} a second.`,
    `Faster ones wait for up to ${grouped(limits.addressWaitMsMax)} ms,`,
    'and the answer to more is 429. Checks of health are exempt.',
    '',
  ].join('\n')
}
