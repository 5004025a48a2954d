import { Ajv, type AnySchema, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'

/**
 * Compiles the schema of a route when the first request comes to it: all of them together are a fifth of the time that
 * the program takes to start, and an operator meets few of them.
 */
export function lateValidation(): FastifySchemaCompiler<AnySchema> {
  let ajv: Ajv | undefined
  return ({ schema }) => {
    let validate: ValidateFunction | undefined
    return (data: unknown) => {
      ajv ??= new Ajv({ allowUnionTypes: true })
      validate ??= ajv.compile(schema)
      return validate(data) ? { value: data } : { error: validate.errors ?? [] }
    }
  }
}
