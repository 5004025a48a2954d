import type { FastifySchemaValidationError } from 'fastify'

/**
 * Describes the fault of an operator's request in one sentence. For a choice it lists the alternatives; the schema
 * validator would report every one of them as unmet.
 *
 * @param errors the errors of the validator about one value, at least one
 * @param where `body`, `params` or `querystring`
 */
export function schemaError(errors: readonly FastifySchemaValidationError[], where: string): Error {
  const at = where + (errors[0]?.instancePath ?? '')
  const choices = errors.flatMap(choicesOf)
  if (choices.length > 0) return new Error(`${at} must be one of ${choices.join(', ')}`)
  const sentences = errors.filter(({ keyword }) => keyword !== 'anyOf').map(sentenceOf)
  return new Error(`${at} ${[...new Set(sentences)].join(' or ')}`)
}

function choicesOf({ keyword, params }: FastifySchemaValidationError): readonly unknown[] {
  if (keyword === 'const') return [params['allowedValue']]
  const { allowedValues } = params
  return Array.isArray(allowedValues) ? allowedValues : []
}

function sentenceOf({ message = 'is wrong', params: { additionalProperty } }: FastifySchemaValidationError): string {
  return typeof additionalProperty === 'string' ? `${message} (${additionalProperty})` : message
}
