import { mkdir, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '@tollgate/contract'
import { dayAt } from '@tollgate/domain'
import {
  type BackgroundTask,
  type Clock,
  errorFields,
  type Log,
  type RecordSearch,
  type Wait,
} from '@tollgate/operations'
import type { Storage } from '@tollgate/storage'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { writeWholeFile } from '../runtime/write-whole-file.ts'
import { sftpServerLimits } from './limits.ts'

/** The folders of a merchant: the record, and the record with the columns of the merchant's references. */
const folders = { records: false, 'records-with-ids': true } as const
type Folder = keyof typeof folders
const folderNames: readonly Folder[] = ['records', 'records-with-ids']

/** The versions of the rows of a merchant's days, whose files are written. */
type Versions = Record<string, string>
const StoredVersions = Type.Record(Type.String(), Type.String())

interface Parts {
  /** The folder of all files that this module writes. */
  readonly folder: string
  readonly storage: Pick<Storage, 'settlementDay'>
  /** The pieces of a record (operations, `recordLines`). */
  readonly lines: (search: RecordSearch) => AsyncIterable<Uint8Array>
  /** The merchants with a key, by id; undefined: not known yet. */
  readonly merchants: () => readonly string[] | undefined
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly wait: Wait
}

/** The folder with a folder for each merchant, which the SFTP server shows. */
export const filesBelow = (folder: string): string => join(folder, 'files')

/** Creates the folders of merchants, which are empty at first. */
export async function createMerchantFolders(folder: string, merchants: readonly string[]): Promise<void> {
  for (const merchant of merchants)
    for (const name of folderNames)
      await mkdir(join(filesBelow(folder), merchant, name), { recursive: true, mode: 0o700 })
}

/**
 * Keeps a file for each merchant with a key and each finished day (UTC) with settled rows. A file is replaced as a
 * whole when a row of its day is added or changed; a client that reads it goes on with the file that it opened.
 */
export function recordFolderTask(parts: Parts): BackgroundTask {
  const { folder, clock, log } = parts
  let sweeps = 0
  let sweptAtMs = Number.NEGATIVE_INFINITY
  let swept = ''
  let steps: AsyncIterator<undefined> | undefined

  async function* sweep(merchants: readonly string[]): AsyncGenerator<undefined> {
    sweeps += 1
    await removeOthers(folder, merchants)
    for (const merchant of merchants) {
      const versions = await readVersions(folder, merchant)
      const days = finishedDays(clock.now())
      await removeOldDays(folder, merchant, versions, days.at(-1) ?? '')
      for (const day of dueDays(days, versions, sweeps)) {
        const outcome = await renewDay(parts, merchant, day, versions).catch((error: unknown) => {
          // Other days and merchants do not wait for it; the next sweep tries it again.
          log.error({ sftp: 'a record was not written', merchant, day, ...errorFields(error) })
          return 'unchanged' as const
        })
        if (outcome === 'noSpace') {
          log.error({ sftp: 'too little space on the disk for records' })
          return
        }
        if (outcome === 'written') await writeWholeFile(versionsOf(folder, merchant), [JSON.stringify(versions)])
        yield
      }
      await writeWholeFile(versionsOf(folder, merchant), [JSON.stringify(versions)])
    }
  }

  /** A sweep is due after a while, and for a new merchant at once. */
  function isDue(merchants: readonly string[]): boolean {
    const [names, nowMs] = [merchants.join(' '), clock.now()]
    if (names === swept && Math.abs(nowMs - sweptAtMs) < sftpServerLimits.recordFolderEveryMs) return false
    swept = names
    sweptAtMs = nowMs
    return true
  }

  return {
    name: 'record folder',
    everyMs: sftpServerLimits.recordFolderPollMs,
    pauseMs: sftpServerLimits.recordPauseMs,
    async step() {
      const merchants = parts.merchants()
      if (merchants === undefined) return 'done'
      steps ??= isDue(merchants) ? sweep(merchants) : undefined
      if (steps === undefined) return 'done'
      try {
        const { done } = await steps.next()
        if (done !== true) return 'more'
      } catch (error) {
        steps = undefined
        throw error
      }
      steps = undefined
      return 'done'
    },
  }
}

/** The finished days before a time, epoch milliseconds: the newest first. */
function finishedDays(nowMs: number): readonly string[] {
  return Array.from({ length: sftpServerLimits.recordDaysMax }, (_, index) => dayAt(nowMs - (index + 1) * DAY_MS))
}

/** The days that a sweep examines: the newest, those that were never examined, and some of the others in turn. */
function dueDays(days: readonly string[], versions: Versions, sweeps: number): readonly string[] {
  const first = (sweeps * sftpServerLimits.recordDaysInTurn) % days.length
  const isInTurn = (index: number) => (index - first + days.length) % days.length < sftpServerLimits.recordDaysInTurn
  return days.filter(
    (day, index) => index < sftpServerLimits.recordDaysFresh || versions[day] === undefined || isInTurn(index),
  )
}

/** Writes the files of a day again if its rows have changed. */
async function renewDay(
  { folder, storage, lines, wait }: Parts,
  merchant: string,
  day: string,
  versions: Versions,
): Promise<'unchanged' | 'written' | 'noSpace'> {
  const { row_count: rows = 0, checksum = 0 } = (await storage.settlementDay(merchant, day)) ?? {}
  const version = `${rows} ${checksum}`
  if (versions[day] === version) return 'unchanged'
  const bytes = rows * sftpServerLimits.recordRowBytes * folderNames.length
  if (!(await hasSpace(folder, bytes))) return 'noSpace'
  for (const name of folderNames) {
    const path = fileOf(folder, merchant, name, day)
    const search = { merchant, from: day, to: day, merchantReferences: folders[name] }
    if (rows === 0) await rm(path, { force: true })
    else await writeWholeFile(path, paced(lines(search), wait))
  }
  versions[day] = version
  return rows === 0 ? 'unchanged' : 'written'
}

async function* paced(pieces: AsyncIterable<Uint8Array>, wait: Wait): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece
    await wait(sftpServerLimits.recordPauseMs)
  }
}

async function hasSpace(folder: string, bytes: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize - bytes >= sftpServerLimits.recordFreeBytesMin
}

const fileOf = (folder: string, merchant: string, name: Folder, day: string): string =>
  join(filesBelow(folder), merchant, name, `${day}.csv`)

const versionsOf = (folder: string, merchant: string): string => join(folder, 'versions', `${merchant}.json`)

/** @returns no versions if they cannot be read: the files are then written again */
async function readVersions(folder: string, merchant: string): Promise<Versions> {
  try {
    const stored: unknown = JSON.parse(await readFile(versionsOf(folder, merchant), 'utf8'))
    return Value.Check(StoredVersions, stored) ? { ...stored } : {}
  } catch {
    return {}
  }
}

/** Removes the files of days before the first one. */
async function removeOldDays(folder: string, merchant: string, versions: Versions, firstDay: string): Promise<void> {
  for (const day of Object.keys(versions).filter((each) => each < firstDay)) {
    for (const name of folderNames) await rm(fileOf(folder, merchant, name, day), { force: true })
    delete versions[day]
  }
}

/** Removes the files of merchants that have no key any more. */
async function removeOthers(folder: string, merchants: readonly string[]): Promise<void> {
  await mkdir(filesBelow(folder), { recursive: true, mode: 0o700 })
  for (const name of await readdir(filesBelow(folder)))
    if (!merchants.includes(name)) {
      await rm(versionsOf(folder, name), { force: true })
      await rm(join(filesBelow(folder), name), { recursive: true, force: true })
    }
}
