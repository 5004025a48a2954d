import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { type FaultyDisk, tear } from '../faults/disk-shim.ts'
import { databaseName } from './durability.ts'

/**
 * The data folder after a killed gateway, after a power cut and after a power cut in mid-write, each as a folder in
 * `place`.
 */
export function crashImages(disk: FaultyDisk, place: string): string[] {
  const [killed, cut, torn] = [join(place, 'killed'), join(place, 'cut'), join(place, 'torn')]
  cpSync(disk.folder, killed, { recursive: true })
  cpSync(disk.shadow, cut, { recursive: true })
  tear(disk, databaseName, torn, Math.random)
  // `tear` writes only the database; the other files (keys, lock) were synced before the first payment.
  cpSync(disk.shadow, torn, { recursive: true, force: false })
  return [killed, cut, torn]
}
