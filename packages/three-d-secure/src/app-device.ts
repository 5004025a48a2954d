import { type Fields, isFields } from './field.ts'
import { findFaults } from './find-faults.ts'
import { limits } from './limits.ts'
import { areq } from './messages/areq.ts'
import type { MessageOf } from './messages/messages.ts'
import { scanJson } from './scan-json.ts'
import { isProtocolVersion, type ProtocolVersion, protocolVersions } from './versions.ts'

/** Fields about an app's SDK and its device, by the rows of the authentication request. */
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

/** An app's fields of an authentication request. */
export interface AppDevice {
  readonly fields: AppFields
  /** The protocol version of the SDK's transaction, if it gives one. */
  readonly messageVersion: ProtocolVersion | undefined
}

/** Defaults: forms of the SDK and pages of the issuer, every kind; five minutes. */
const usual = {
  deviceRenderOptions: { sdkInterface: '03', sdkUiType: ['01', '02', '03', '04', '05'] },
  sdkMaxTimeout: '05',
}

/**
 * The SDK's data: a JSON object with the names of the authentication request (`sdkTransID`, `sdkAppID`,
 * `sdkReferenceNumber`, `sdkEphemPubKey`, `sdkEncData`, …), as it is or in base64.
 *
 * @returns undefined for anything else
 */
export function readAppDevice(text: string): AppDevice | undefined {
  const json = text.startsWith('{') ? text : Buffer.from(text, 'base64').toString('utf8')
  const sent = parse(json)
  if (!isFields(sent)) return undefined
  const { sdkEphemPubKey: key, messageVersion } = sent
  const fields = { ...usual, ...sent, sdkEphemPubKey: typeof key === 'string' ? parse(key) : key }
  const version = isProtocolVersion(messageVersion) ? messageVersion : undefined
  const scope = { version: version ?? protocolVersions[1], deviceChannel: '01', messageCategory: '01', fields } as const
  return isValid(fields, scope) ? { fields: knownFieldsOf(fields), messageVersion: version } : undefined
}

const isValid = (fields: Fields, scope: Parameters<typeof findFaults>[2]): fields is AppFields =>
  findFaults(table, fields, scope).length === 0

/** Further data of the SDK are not forwarded. */
const knownFieldsOf = (fields: AppFields): AppFields => ({
  deviceRenderOptions: fields.deviceRenderOptions,
  sdkAppID: fields.sdkAppID,
  sdkEncData: fields.sdkEncData,
  sdkEphemPubKey: fields.sdkEphemPubKey,
  sdkMaxTimeout: fields.sdkMaxTimeout,
  sdkReferenceNumber: fields.sdkReferenceNumber,
  sdkTransID: fields.sdkTransID,
})

function parse(json: string): unknown {
  const { tooDeep, twice } = scanJson(json, limits.jsonDepthMax)
  if (tooDeep || twice !== undefined) return undefined
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
