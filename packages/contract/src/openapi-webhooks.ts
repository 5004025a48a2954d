import { answerSchema, type JsonSchema } from './json-schema.ts'
import { answerName, schemaRef } from './openapi-schemas.ts'
import type { OpenApi, ParameterObject } from './openapi-types.ts'
import { eventFields } from './responses.ts'

const header = (name: string, description: string, schema: JsonSchema): ParameterObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
})

const hexDigits = (count: number): JsonSchema => ({ type: 'string', pattern: `^[0-9a-f]{${count}}$` })

const ciphertext: JsonSchema = {
  type: 'string',
  pattern: '^([0-9a-f]{2})+$',
  description: 'AES-256-GCM, in hex digits. The plaintext is JSON in UTF-8',
  contentMediaType: 'application/json',
  contentSchema: schemaRef('Event'),
}

/** Requests to webhooks. */
export const webhooks: OpenApi['webhooks'] = {
  event: {
    post: {
      operationId: 'event',
      summary: 'A payment or registration was made or changed',
      description:
        'Comes until it is answered with 2xx, and maybe more than once. Before a webhook is active, and when its key ' +
        'is replaced, it is sent a test in the same way: `{"type":"test","action":"webhook activation","payload":{}}`',
      tags: ['Webhooks'],
      security: [],
      parameters: [
        header('X-Initialization-Vector', 'The 12 bytes with which the body was encrypted', hexDigits(24)),
        header('X-Authentication-Tag', 'The 16 bytes by which the body is known for genuine', hexDigits(32)),
        header('webhook-id', 'The event, the same in every attempt and replay', hexDigits(32)),
        header('webhook-timestamp', 'When this attempt was made, in seconds since 1970', {
          type: 'string',
          pattern: '^[0-9]+$',
        }),
        header('webhook-signature', 'HMAC-SHA256 by Standard Webhooks: one or several, with a blank between them', {
          type: 'string',
          pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$',
        }),
      ],
      requestBody: {
        required: true,
        content: {
          'text/plain': { schema: ciphertext },
          'application/json': {
            schema: { type: 'object', properties: { encryptedBody: ciphertext }, required: ['encryptedBody'] },
          },
        },
      },
      responses: { '2XX': { description: 'It has arrived. Anything else is tried again, but 410, which ends it' } },
    },
  },
}

/** The schema of an event, decrypted, by its name. */
export function eventSchemas(): Readonly<Record<string, JsonSchema>> {
  const { properties, ...event } = answerSchema(eventFields.fields, new Set(['type', 'payload']))
  const payload = { anyOf: [schemaRef(answerName('payment')), schemaRef(answerName('registration'))] }
  return { Event: { description: 'An event', ...event, properties: { ...properties, payload } } }
}
