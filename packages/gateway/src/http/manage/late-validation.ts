import { Ajv, type AnySchema, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'

/** Keeps what it has compiled: the schemas are constants, so that a second server in the process compiles none. */
let ajv: Ajv | undefined

/**
 * Compiles the schema of a route when the first request comes to it: all of them together are a fifth of the time that
 * the program takes to start, and an operator meets few of them.
 */
export const lateValidation: FastifySchemaCompiler<AnySchema> = ({ schema }) => {
  let validate: ValidateFunction | undefined
  return (data: unknown) => {
    ajv ??= new Ajv({ allowUnionTypes: true })
    validate ??= ajv.compile(schema)
    return validate(data) ? { value: data } : { error: validate.errors ?? [] }
  }
}
