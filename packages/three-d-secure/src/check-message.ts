import { type Context, transactionIds } from './context.ts'
import { isKnownExtension } from './extensions/known-extensions.ts'
import { type Fault, fault } from './fault.ts'
import { type DeviceChannel, type Fields, isFields, type MessageCategory, type Scope } from './field.ts'
import { findFaults, isMissing, valueOf } from './find-faults.ts'
import type { MessageType } from './messages/message-type.ts'
import { messages } from './messages/messages.ts'
import { rules } from './rules.ts'
import { isProtocolVersion, type ProtocolVersion } from './versions.ts'

/**
 * Validates a message against its table and its transaction. The first error in this order is returned: a missing
 * or unsupported version, an unknown critical extension, missing fields, malformed fields and violated rules, ids of
 * another transaction.
 *
 * @returns undefined for a valid message
 */
export function checkMessage(kind: MessageType, fields: Fields, context: Context): Fault | undefined {
  const version = valueOf(fields, 'messageVersion')
  if (isMissing(version)) return fault('201', 'messageVersion')
  const expected = context.messageVersion
  if (!isProtocolVersion(version) || (expected !== undefined && version !== expected)) {
    return fault('102', 'messageVersion')
  }
  const critical = unknownCriticalExtensions(fields)
  if (critical.length > 0) return fault('202', ...critical)

  const scope = scopeOf(version, fields, context)
  const fieldFaults = findFaults(messages[kind], fields, scope)
  const missing = fieldFaults.filter(({ code }) => code === '201').map(({ name }) => name)
  if (missing.length > 0) return fault('201', ...missing)
  const invalid = [
    ...fieldFaults.map(({ name }) => name),
    ...rules[kind].filter(({ holds }) => !holds(scope)).flatMap(({ names }) => names),
  ]
  if (invalid.length > 0) return fault('203', ...invalid)
  const mismatched = transactionIds.filter((id) => isMismatch(context[id], valueOf(fields, id)))
  return mismatched.length > 0 ? fault('301', ...mismatched) : undefined
}

/** The scope of a message: channel and category are those of the context, otherwise those that the message contains. */
export const scopeOf = (version: ProtocolVersion, fields: Fields, context: Context): Scope => ({
  version,
  deviceChannel: context.deviceChannel ?? codeOf(channels, valueOf(fields, 'deviceChannel')),
  messageCategory: context.messageCategory ?? codeOf(categories, valueOf(fields, 'messageCategory')),
  fields,
})

const channels: readonly DeviceChannel[] = ['01', '02', '03']
const categories: readonly MessageCategory[] = ['01', '02']
const codeOf = <Code>(codes: readonly Code[], value: unknown): Code | undefined => codes.find((code) => code === value)

/** Ids are compared without regard to case (RFC 4122). */
const isMismatch = (expected: string | undefined, actual: unknown): boolean =>
  expected !== undefined && typeof actual === 'string' && expected.toLowerCase() !== actual.toLowerCase()

function unknownCriticalExtensions(fields: Fields): readonly string[] {
  const extensions: unknown = valueOf(fields, 'messageExtension')
  if (!Array.isArray(extensions)) return []
  const items: readonly unknown[] = extensions
  return items
    .filter(isFields)
    .filter((extension) => extension['criticalityIndicator'] === true && !isKnownExtension(extension['id']))
    .map(({ id }) => (typeof id === 'string' && /^[\w.-]{1,64}$/.test(id) ? id : 'messageExtension'))
}
