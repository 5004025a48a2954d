import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { Value } from 'typebox/value'

/**
 * The first fault of a value, in words: the path of the member, and the requirement that it violates. It contains no
 * value.
 *
 * @param path that of the value
 * @returns undefined if the value satisfies the schema
 */
export function schemaFault(shape: TSchema, value: unknown, path: string): string | undefined {
  if (Value.Check(shape, value)) return undefined
  const error = Value.Errors(shape, value).find(({ keyword }) => keyword !== 'boolean')
  return `${path}${error?.instancePath ?? ''} ${error ? sentenceOf(error) : 'is wrong'}`
}

function sentenceOf(error: TLocalizedValidationError): string {
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`
  if (error.keyword === 'additionalProperties') return `must not have ${error.params.additionalProperties.join(', ')}`
  return error.message
}
