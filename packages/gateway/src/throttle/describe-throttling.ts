import { operations, servedOperations } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { requestsPerMinute } from './requests-per-minute.ts'

/** Renders the reference page of throttling, in Markdown, from the table of default limits. */
export function describeThrottling(): string {
  const grouped = (count: number) => count.toLocaleString('en-GB')
  const rows = servedOperations.map((name) => {
    const { method, path } = operations[name]
    const { test, live } = requestsPerMinute[name]
    return `| \`${name}\` | \`${method} ${path}\` | ${grouped(test)} | ${grouped(live)} |`
  })
  return [
    '# Throttling',
    '',
    'Maximum number of requests of one operation per entity and minute, by default; the setting `throttle` of the',
    'entity or of an entity above it overrides the default. Further requests are answered with 429, `800.120.100` and',
    '`Retry-After`. The [guide for operators](../guides/operate.md#rate-limits-and-overload) describes how requests',
    'are counted. This page is generated from the gateway’s table.',
    '',
    '| operation | | test | live |',
    '|---|---|---:|---:|',
    ...rows,
    '',
    'Requests for documents and payment pages, and requests with missing credentials, are paced by client address:',
    `${grouped(limits.addressBurst)} at once, then ${grouped(limits.addressRequestsPerSecond)} per second.`,
    `Further requests wait for up to ${grouped(limits.addressWaitMsMax)} ms,`,
    'and are then answered with 429. Health checks are exempt.',
    '',
  ].join('\n')
}
