import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { type FaultyDisk, tear } from '../faults/disk-shim.ts'
import { databaseName } from './durability.ts'

/**
 * Writes the data folder as it is after a kill, after a power cut and after a power cut in mid-write, each to a folder
 * in `target`.
 * @returns the three folders
 */
export function crashImages(disk: FaultyDisk, target: string): string[] {
  const [killed, cut, torn] = [join(target, 'killed'), join(target, 'cut'), join(target, 'torn')]
  cpSync(disk.folder, killed, { recursive: true })
  cpSync(disk.shadow, cut, { recursive: true })
  tear(disk, databaseName, torn, Math.random)
  // `tear` writes only the database; the other files (keys, lock) were synced before the first payment.
  cpSync(disk.shadow, torn, { recursive: true, force: false })
  return [killed, cut, torn]
}
