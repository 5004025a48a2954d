import { Ajv, type AnySchema, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'

/** Caches compiled schemas. They are constants, so a second server in the process compiles no schema again. */
let ajv: Ajv | undefined

/**
 * Compiles the schema of a route at its first request, because compiling all schemas takes a fifth of the start time,
 * and an operator uses few routes.
 */
export const lazyValidation: FastifySchemaCompiler<AnySchema> = ({ schema }) => {
  let validate: ValidateFunction | undefined
  return (data: unknown) => {
    ajv ??= new Ajv({ allowUnionTypes: true })
    validate ??= ajv.compile(schema)
    return validate(data) ? { value: data } : { error: validate.errors ?? [] }
  }
}
