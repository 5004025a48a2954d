/**
 * The references of one message, by which host and acquirer find it. They are stored before the message is sent, so
 * that its reversal names them after a crash.
 */
export interface Trace {
  /** Field 41, up to 8 characters. */
  readonly terminalId: string
  /** Systems trace audit number: field 11, 000001 to 999999. Unique for its terminal and day. */
  readonly stan: string
  /** Epoch milliseconds: fields 7, 12 and 13. A repeat has the time of the first message. */
  readonly atMs: number
}

/** A trace number of 6 digits. */
export const stanOf = (number: number): string => String(number).padStart(6, '0')

/** A text of a time that is the same for a whole period. The text of the last requested period is kept. */
function textPer(periodMs: number, textOf: (atMs: number) => string): (atMs: number) => string {
  let period = Number.NaN
  let text = ''
  return (atMs) => {
    const current = Math.floor(atMs / periodMs)
    if (current !== period) {
      text = textOf(atMs)
      period = current
    }
    return text
  }
}

const timeOfSecond = textPer(1_000, (atMs) =>
  new Date(atMs)
    .toISOString()
    .slice(5, 19)
    .replaceAll(/[^0-9]/g, ''),
)

/** Field 7: month, day and time in UTC. */
export const transmissionTime = ({ atMs }: Pick<Trace, 'atMs'>): string => timeOfSecond(atMs)

/** Field 37: last digit of the year, day of the year and hour in UTC, then the trace number ("YDDDhhNNNNNN"). */
export const retrievalReference = ({ atMs, stan }: Pick<Trace, 'atMs' | 'stan'>): string =>
  `${dateAndHour(atMs)}${stan}`

const dateAndHour = textPer(3_600_000, (atMs) => {
  const date = new Date(atMs)
  const year = date.getUTCFullYear()
  const day = Math.floor((atMs - Date.UTC(year, 0, 0)) / 86_400_000)
  const hour = String(date.getUTCHours()).padStart(2, '0')
  return `${year % 10}${String(day).padStart(3, '0')}${hour}`
})

/** Field 90 of a message that refers to another: its type, trace number, time, acquirer and forwarder. */
export function originalData(
  type: string,
  trace: Pick<Trace, 'stan' | 'atMs'>,
  { acquirerId, forwarderId = '' }: { readonly acquirerId: string; readonly forwarderId?: string | undefined },
): string {
  return `${type}${trace.stan}${transmissionTime(trace)}${acquirerId.padStart(11, '0')}${forwarderId.padStart(11, '0')}`
}

interface LocalTime {
  readonly time: string
  readonly date: string
}

/** The last result: a formatter of the time zone takes longer than all other fields of a message. */
let last: { readonly second: number; readonly timeZone: string; readonly local: LocalTime } | undefined

/** Fields 12 and 13: time `hhmmss` and date `MMDD` in a time zone. */
export function localTime({ atMs }: Pick<Trace, 'atMs'>, timeZone: string): LocalTime {
  const second = Math.floor(atMs / 1000)
  if (last?.second !== second || last.timeZone !== timeZone)
    last = { second, timeZone, local: formattedTime(atMs, timeZone) }
  return last.local
}

function formattedTime(atMs: number, timeZone: string): LocalTime {
  const parts = new Map(
    formatIn(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  )
  const digits = (...types: readonly Intl.DateTimeFormatPartTypes[]): string =>
    types.map((type) => parts.get(type) ?? '').join('')
  return { time: digits('hour', 'minute', 'second'), date: digits('month', 'day') }
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const twoDigits = { month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hourCycle: 'h23', ...twoDigits })
  formats.set(timeZone, format)
  return format
}
