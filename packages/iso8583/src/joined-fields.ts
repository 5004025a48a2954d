import type { Value } from './content.ts'

/**
 * The fields of a message. The highest number is stored first: then the object grows once, instead of with each number.
 *
 * @param numbers ascending
 */
export function joinedFields(numbers: readonly number[], values: readonly Value[]): Record<number, Value> {
  const fields: Record<number, Value> = {}
  for (let i = numbers.length - 1; i >= 0; i--) {
    const number = numbers[i]
    const value = values[i]
    if (number !== undefined && value !== undefined) fields[number] = value
  }
  return fields
}
