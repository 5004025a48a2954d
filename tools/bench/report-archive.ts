import type { ArchiveReport } from './measure-archive.ts'
import { spreadText, fixed, grouped, type Line } from './text-table.ts'

/** The table of the changes of partitions. */
export function archiveLines({ perSecond, changes }: ArchiveReport): Line[] {
  return [
    [`${grouped(perSecond)} payments/s while`, 'p99 ms before', 'p99 ms meanwhile', 'ratio (min to max)', 'failures'],
    ...changes.map(({ name, quietP99Ms, p99Ms, ratio, failures }) => [
      name,
      fixed(quietP99Ms, 1),
      fixed(p99Ms, 1),
      spreadText(ratio),
      String(failures),
    ]),
  ]
}
