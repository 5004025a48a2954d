import type { FastifySchemaValidationError } from 'fastify'

/**
 * Describes the fault of an operator's request in one sentence. The schema validator reports one error for each
 * alternative of a choice; the sentence lists all alternatives.
 *
 * @param errors the errors of the validator about one value, at least one
 * @param part the part of the request: `body`, `params` or `querystring`
 */
export function schemaError(errors: readonly FastifySchemaValidationError[], part: string): Error {
  const path = part + (errors[0]?.instancePath ?? '')
  const choices = errors.flatMap(choicesOf)
  if (choices.length > 0) return new Error(`${path} must be one of ${choices.join(', ')}`)
  const sentences = errors.filter(({ keyword }) => keyword !== 'anyOf').map(sentenceOf)
  return new Error(`${path} ${[...new Set(sentences)].join(' or ')}`)
}

function choicesOf({ keyword, params }: FastifySchemaValidationError): readonly unknown[] {
  if (keyword === 'const') return [params['allowedValue']]
  const { allowedValues } = params
  return Array.isArray(allowedValues) ? allowedValues : []
}

function sentenceOf({ message = 'is wrong', params: { additionalProperty } }: FastifySchemaValidationError): string {
  return typeof additionalProperty === 'string' ? `${message} (${additionalProperty})` : message
}
