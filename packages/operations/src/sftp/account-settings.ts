import { isTimeZone } from '@tollgate/domain'
import type { SftpAccountRow } from '@tollgate/storage'
import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import type { SftpServer } from '../ports/sftp-client.ts'
import { storedReader } from '../records/stored-json.ts'

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000-\\u001F\\u007F]+$' })
const strict = { additionalProperties: false }

/** The server of an account, in the management API and in storage. */
const serverSchema = Type.Object(
  {
    host: Type.String({ pattern: '^[A-Za-z0-9:._-]{1,253}$' }),
    port: Type.Integer({ minimum: 1, maximum: 65_535 }),
    username: text(limits.sftpUserCharsMax),
    hostKeys: Type.Array(text(limits.sftpHostKeyCharsMax), {
      minItems: 1,
      maxItems: limits.sftpHostKeysMax,
      uniqueItems: true,
    }),
  },
  strict,
)
const Folder = text(limits.sftpFolderCharsMax)

/** The members that determine to which server and user credentials are shown. */
const targetMembers = ['host', 'port', 'username', 'hostKeys'] as const

/** The settings of deliveries, in the management API and in storage. */
export const deliverySettings = Type.Object(
  {
    server: serverSchema,
    /** The folder in which files appear, absolute or relative to that of the user; `.` is that of the user. */
    folder: Folder,
    fileName: text(limits.sftpPatternCharsMax),
    /** Whether files have the columns TransactionId and InvoiceId. */
    merchantReferences: Type.Boolean(),
    /** Whether files have the column MerchantMemo; absent: they do not. */
    merchantMemo: Type.Optional(Type.Boolean()),
    schedule: Type.Object(
      { hour: Type.Integer({ minimum: 0, maximum: 23 }), timeZone: text(limits.timeZoneCharsMax) },
      strict,
    ),
  },
  strict,
)
export type DeliverySettings = Static<typeof deliverySettings>
const readDeliverySettings = storedReader(deliverySettings)

/** The settings of a source of settlement files, in the management API and in storage. */
export const sourceSettings = Type.Object(
  {
    server: serverSchema,
    folder: Folder,
    /** The pattern of the names of files that are taken. */
    names: text(limits.sftpPatternCharsMax),
    everyMinutes: Type.Integer({ minimum: 1, maximum: limits.sftpPullMinutesMax }),
    /** `keep`: files stay; or the folder to which they are moved after they were read. */
    afterReading: Type.Union([Type.Literal('keep'), Type.Object({ moveTo: Folder }, strict)]),
  },
  strict,
)
export type SourceSettings = Static<typeof sourceSettings>
const readSourceSettings = storedReader(sourceSettings)

/** The settings of an account to which files are delivered. */
export const deliverySettingsOf = ({ settings }: SftpAccountRow): DeliverySettings => readDeliverySettings(settings)

/** The settings of an account from which files are pulled. */
export const sourceSettingsOf = ({ settings }: SftpAccountRow): SourceSettings => readSourceSettings(settings)

/** The first member of a server that differs, and so makes the credentials necessary again. */
export const changedServerMember = (from: SftpServer, to: SftpServer): string | undefined =>
  targetMembers.find((member) => String(from[member]) !== String(to[member]))

/** The path of a file in a folder. */
export const pathIn = (folder: string, name: string): string =>
  folder === '.' ? name : `${folder.replace(/\/+$/, '')}/${name}`

/** The fault of a schedule's time zone, in words. */
export const timeZoneFault = (timeZone: string): string | undefined =>
  isTimeZone(timeZone) ? undefined : 'must be the name of a time zone, such as Europe/Berlin'
