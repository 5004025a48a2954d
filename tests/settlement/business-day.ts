import type { HostCutOff } from '@tollgate/simulators'

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const formatter =
    formatters.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' })
  formatters.set(timeZone, formatter)
  return formatter
}

/** The day after a day, yyyy-MM-dd. */
export const nextDay = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

/** The business day of a time, yyyy-MM-dd, by its local date and time. Written without the rules of the product. */
export function businessDayAt({ time, timeZone }: HostCutOff, atMs: number): string {
  const [date = '', timeOfDay = ''] = formatterOf(timeZone).format(atMs).split(' ')
  return timeOfDay >= time ? nextDay(date) : date
}
