import { type Fields, isFields } from './field.ts'
import { findFaults, valueOf } from './find-faults.ts'
import { limits } from './limits.ts'
import { areq } from './messages/areq.ts'
import type { MessageOf } from './messages/messages.ts'
import { parseStrictJson } from './strict-json.ts'
import { isProtocolVersion, type ProtocolVersion, protocolVersions } from './versions.ts'

/** Fields of an app's SDK and its device, with their rows in the table of the authentication request. */
const table = {
  deviceRenderOptions: areq.deviceRenderOptions,
  sdkAppID: areq.sdkAppID,
  sdkEncData: areq.sdkEncData,
  sdkEphemPubKey: areq.sdkEphemPubKey,
  sdkMaxTimeout: areq.sdkMaxTimeout,
  sdkReferenceNumber: areq.sdkReferenceNumber,
  sdkTransID: areq.sdkTransID,
}

type AppFields = Pick<MessageOf<'AReq'>, keyof typeof table>

/** The fields of an app in an authentication request. */
export interface AppDevice {
  readonly fields: AppFields
  /** The protocol version of the SDK's transaction; undefined if it was not sent, or is not supported. */
  readonly messageVersion: ProtocolVersion | undefined
}

/** Defaults: native and HTML interfaces of every type, and a timeout of five minutes. */
const defaults = {
  deviceRenderOptions: { sdkInterface: '03', sdkUiType: ['01', '02', '03', '04', '05'] },
  sdkMaxTimeout: '05',
}

/**
 * Reads the SDK's data: a JSON object with the names of the authentication request (`sdkTransID`, `sdkAppID`,
 * `sdkReferenceNumber`, `sdkEphemPubKey`, `sdkEncData`, …), as text or in base64.
 *
 * @returns undefined for other texts, and if a required field is missing or a field is invalid
 */
export function readAppDevice(text: string): AppDevice | undefined {
  const json = text.startsWith('{') ? text : Buffer.from(text, 'base64').toString('utf8')
  const members = parseStrictJson(json, limits.jsonDepthMax)
  if (!isFields(members)) return undefined
  const { sdkEphemPubKey: key, messageVersion } = members
  const ephemPubKey = typeof key === 'string' ? parseStrictJson(key, limits.jsonDepthMax) : key
  const fields = knownFieldsOf({ ...defaults, ...members, sdkEphemPubKey: ephemPubKey })
  const version = isProtocolVersion(messageVersion) ? messageVersion : undefined
  const scope = { version: version ?? protocolVersions[1], deviceChannel: '01', messageCategory: '01', fields } as const
  return isValid(fields, scope) ? { fields, messageVersion: version } : undefined
}

const isValid = (fields: Fields, scope: Parameters<typeof findFaults>[2]): fields is AppFields =>
  findFaults(table, fields, scope).length === 0

/** The fields of the table; other members of the SDK's data are not forwarded. */
const knownFieldsOf = (fields: Fields): Fields =>
  Object.fromEntries(Object.keys(table).map((name) => [name, valueOf(fields, name)]))
