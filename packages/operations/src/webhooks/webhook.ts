import { eventTypes } from '@tollgate/contract'
import { fieldFilters } from '@tollgate/domain'
import type { WebhookRow } from '@tollgate/storage'
import { type Static, Type } from 'typebox'
import { isOneOf, narrow } from '../narrow.ts'
import { storedReader } from '../records/stored-json.ts'

/** The forms of an encrypted body: hex digits only, or hex digits in a JSON object. */
const wrappers = ['text', 'json'] as const

/** The settings of a webhook, in the management API and in storage. */
export const webhookSettings = {
  types: Type.Unsafe<readonly string[]>(
    Type.Array(Type.String({ enum: [...eventTypes] }), { minItems: 1, maxItems: eventTypes.length, uniqueItems: true }),
  ),
  fieldFilter: Type.String({ enum: [...fieldFilters] }),
  wrapper: Type.String({ enum: [...wrappers] }),
}

const settingsSchema = Type.Object(webhookSettings)
export type WebhookSettings = Readonly<Static<typeof settingsSchema>>
const readSettings = storedReader(settingsSchema)

/** By default a webhook receives all events with all fields, as hex digits. */
export const defaultWebhookSettings: WebhookSettings = { types: eventTypes, fieldFilter: 'ALL', wrapper: 'text' }

/** inactive: no test delivery has succeeded yet. disabled: by an operator, or after an answer with status 410. */
const webhookStates = ['inactive', 'active', 'disabled'] as const
export type WebhookState = (typeof webhookStates)[number]

/** An endpoint that receives events. */
export interface Webhook extends Omit<WebhookRow, 'settings' | 'state'> {
  readonly settings: WebhookSettings
  readonly state: WebhookState
}

export const webhookOf = (row: WebhookRow): Webhook => ({
  ...row,
  settings: readSettings(row.settings),
  state: narrow(isState, row.state),
})

export const webhookRow = (webhook: Webhook): WebhookRow => ({
  ...webhook,
  settings: JSON.stringify(webhook.settings),
})

const isState = isOneOf(webhookStates)
