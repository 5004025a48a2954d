import { type DayRange, dayIn, limits as operationLimits } from '@tollgate/operations'
import { Type } from 'typebox'
import { ManageError } from './manage-error.ts'

/** A day in a query. */
export const Day = Type.String({ maxLength: 10 })

/** The range of days in the query of a report. */
export const Days = { from: Day, to: Day }

/** @throws ManageError if the text is not a day */
export function dayOfQuery(text: string, name: string): number {
  const day = dayIn(text)
  if (day === undefined) throw new ManageError(400, `querystring/${name} must be a day such as 2027-01-31`)
  return day
}

/** @throws ManageError if a day is invalid, or the range is empty or too long */
export function daysOfQuery({ from, to }: { readonly from: string; readonly to: string }): DayRange {
  const range = { fromDay: dayOfQuery(from, 'from'), toDay: dayOfQuery(to, 'to') }
  if (range.toDay < range.fromDay) throw new ManageError(400, 'querystring/to must not be before from')
  const { reportDaysMax } = operationLimits
  if (range.toDay - range.fromDay >= reportDaysMax)
    throw new ManageError(400, `querystring/to must be at most ${reportDaysMax} days after from, inclusive`)
  return range
}
