const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/** Whether a text that begins with yyyy-MM-dd, all digits, names a day of the Gregorian calendar: no 30 February. */
export function isCalendarDate(value: string): boolean {
  const year = numberAt(value, 0, 4)
  const month = numberAt(value, 5, 2)
  const day = numberAt(value, 8, 2)
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = (daysOfMonth[month - 1] ?? 0) + (isLeapYear && month === 2 ? 1 : 0)
  return day >= 1 && day <= days
}

/** Whether the time in a text of the form yyyy-MM-dd HH:mm:ss is between 00:00:00 and 23:59:59. */
export function isTimeOfDay(value: string): boolean {
  return numberAt(value, 11, 2) < 24 && numberAt(value, 14, 2) < 60 && numberAt(value, 17, 2) < 60
}

/** The number in the `length` decimal digits from `start`. */
function numberAt(value: string, start: number, length: number): number {
  let number = 0
  for (let i = start; i < start + length; i++) number = number * 10 + value.charCodeAt(i) - 48
  return number
}
