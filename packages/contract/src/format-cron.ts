import { pattern } from './format.ts'
import { limits } from './limits.ts'
import type { Format } from './row.ts'

/**
 * One field of a cron expression: numbers or names of a range, and special characters; a step after a slash may be any
 * number of 1 to 4 digits. The rules of schedules interpret the field and refuse a meaningless one (result codes
 * 100.250.1xx).
 *
 * @param number a regular expression of one number or name, without anchors
 * @param specialCharacters the special characters besides the slash, as a character class of a regular expression
 */
export function cronField(describe: string, number: string, specialCharacters: string): Format {
  const special = String.raw`(?:[${specialCharacters}]|\/[0-9]{1,4}(?![0-9]))`
  const length = `(?=.{1,${limits.cronFieldCharsMax}}$)`
  // Special characters separate numbers (99 is not 9 and 9), so that every field has only one interpretation.
  const source = new RegExp(`^${length}${special}*(?:(?:${number})(?:${special}+(?:${number}))*${special}*)?$`)
  return { ...pattern(describe, source), kind: 'cron', message: `must be a cron field of ${describe}` }
}

const expressionText = 'a cron expression of 6 or 7 fields, up to 256 characters'

/** 6 or 7 fields: second, minute, hour, day of month, month, day of week, and optionally the year. */
export const cronExpression: Format = {
  ...pattern(expressionText, /^(?=.{11,256}$)[0-9A-Za-z,*/?#-]+(?: +[0-9A-Za-z,*/?#-]+){5,6}$/),
  kind: 'cron',
  message: `must be ${expressionText}`,
}
