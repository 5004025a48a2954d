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
        'Sent again until it is answered with 2xx or the last retry has failed; it may arrive more than once. Before ' +
        'a webhook becomes active, and when its key is replaced, a test is sent in the same way: ' +
        '`{"type":"test","action":"webhook activation","payload":{}}`',
      tags: ['Webhooks'],
      security: [],
      parameters: [
        header('X-Initialization-Vector', 'The initialization vector of the encrypted body, 12 bytes', hexDigits(24)),
        header('X-Authentication-Tag', 'The authentication tag of the encrypted body, 16 bytes', hexDigits(32)),
        header('webhook-id', 'Id of the event, the same in every attempt and replay', hexDigits(32)),
        header('webhook-timestamp', 'Time of this attempt, in seconds since 1970', {
          type: 'string',
          pattern: '^[0-9]+$',
        }),
        header('webhook-signature', 'HMAC-SHA256 signatures of Standard Webhooks, separated by spaces', {
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
      responses: {
        '2XX': {
          description:
            'The event has arrived. After any other status it is sent again, up to the last retry; 410 disables the ' +
            'webhook',
        },
      },
    },
  },
}

/** The schema of an event, decrypted, by its name. */
export function eventSchemas(): Readonly<Record<string, JsonSchema>> {
  const { properties, ...event } = answerSchema(eventFields.fields, new Set(['type', 'payload']))
  const payload = { anyOf: [schemaRef(answerName('payment')), schemaRef(answerName('registration'))] }
  return { Event: { description: 'An event', ...event, properties: { ...properties, payload } } }
}
