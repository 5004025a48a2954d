import { Ajv, type AnySchema, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'

/** Caches compiled schemas: they are constants, so a second server in the process compiles none. */
let ajv: Ajv | undefined

/**
 * Compiles the schema of a route at its first request: all of them together take a fifth of the start time, and an
 * operator uses few of them.
 */
export const lateValidation: FastifySchemaCompiler<AnySchema> = ({ schema }) => {
  let validate: ValidateFunction | undefined
  return (data: unknown) => {
    ajv ??= new Ajv({ allowUnionTypes: true })
    validate ??= ajv.compile(schema)
    return validate(data) ? { value: data } : { error: validate.errors ?? [] }
  }
}
