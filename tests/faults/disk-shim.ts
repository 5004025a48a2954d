import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// A disk that loses unsynced data and fails on command, for programs that a test starts. disk-shim.c implements it.

/** A folder that a program accesses through the shim: the program gets `env`, and `folder` as its data folder. */
export interface FaultyDisk {
  /** The files with all writes, as they remain after a killed process. */
  readonly folder: string
  /** The files with the synced writes, as they remain after a power cut. */
  readonly shadow: string
  readonly env: Readonly<Record<string, string>>
  /**
   * Makes the disk fail from now on, or work again.
   * @param suffix limits the failure to files whose name has this suffix
   */
  readonly fail: (failure: 'none' | 'fsync' | 'full', suffix?: string) => void
}

/**
 * Compiles the shim once per version of its source. If no compiler is installed, root installs gcc with apt-get.
 * @returns the path of the library; undefined on other systems than Linux, or without a compiler
 * @throws Error if there is no compiler and CI is set, because CI may not omit tests; Error if the compilation fails
 */
export function compileDiskShim(): string | undefined {
  if (process.platform !== 'linux') return undefined
  const source = fileURLToPath(new URL('../../faults/disk-shim.c', import.meta.url))
  const digest = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 16)
  const library = fileURLToPath(new URL(`disk-shim-${digest}.so`, import.meta.url))
  if (existsSync(library)) return library
  const compiler = findCompiler()
  if (!compiler) return undefined
  const partial = `${library}.${process.pid}`
  execFileSync(compiler, ['-shared', '-fPIC', '-O2', '-o', partial, source, '-ldl', '-lpthread'])
  renameSync(partial, library)
  return library
}

function findCompiler(): string | undefined {
  const compiler = ['cc', 'gcc', 'clang'].find((name) => succeeds(name, '--version'))
  if (compiler) return compiler
  if (process.getuid?.() === 0 && succeeds('apt-get', 'install', '-y', 'gcc', 'libc6-dev')) return 'gcc'
  if (process.env['CI'])
    throw new Error('no C compiler was found for the tests of disk faults: install cc, gcc or clang')
  return undefined
}

function succeeds(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/**
 * Creates a disk in the existing folder `home`.
 * @param shim the compiled shim
 * @param image a folder with the initial, synced files of the disk
 */
export function faultyDisk(shim: string, home: string, image?: string): FaultyDisk {
  const [folder, shadow, control] = [join(home, 'disk'), join(home, 'shadow'), join(home, 'control')]
  for (const target of [folder, shadow]) {
    mkdirSync(target)
    if (image) cpSync(image, target, { recursive: true })
  }
  return {
    folder,
    shadow,
    env: {
      LD_PRELOAD: shim,
      TOLLGATE_TEST_DISK_FOLDER: folder,
      TOLLGATE_TEST_DISK_SHADOW: shadow,
      TOLLGATE_TEST_DISK_CONTROL: control,
    },
    fail: (failure, suffix = '') => {
      // The file is replaced atomically, so that the shim never reads an incomplete line.
      writeFileSync(`${control}.new`, `${failure} ${suffix}\n`)
      renameSync(`${control}.new`, control)
    },
  }
}

/**
 * Writes the database and its log to `target` as they may be after a power cut during a write: the synced files with
 * the unsynced log up to a random byte, and with each unsynced page of the database with a probability of one half.
 * @param file the name of the SQLite database in the disk's folder
 * @param random returns numbers from 0, inclusive, to 1, exclusive
 */
export function tear(disk: FaultyDisk, file: string, target: string, random: () => number): void {
  mkdirSync(target)
  const read = (folder: string, name: string) => {
    const path = join(folder, name)
    return existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  }
  const [written, synced] = [read(disk.folder, `${file}-wal`), read(disk.shadow, `${file}-wal`)]
  const cut = firstDifference(written, synced) + Math.floor(random() * (written.length + 1))
  writeFileSync(join(target, `${file}-wal`), Buffer.concat([written.subarray(0, cut), synced.subarray(cut)]))

  const [writtenPages, syncedPages] = [read(disk.folder, file), read(disk.shadow, file)]
  const torn = Buffer.alloc(Math.max(writtenPages.length, syncedPages.length))
  syncedPages.copy(torn)
  const pageBytes = 4096
  for (let offset = 0; offset < writtenPages.length; offset += pageBytes) {
    if (random() < 0.5) writtenPages.copy(torn, offset, offset, offset + pageBytes)
  }
  writeFileSync(join(target, file), torn)
}

function firstDifference(a: Buffer, b: Buffer): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index += 1) if (a[index] !== b[index]) return index
  return length
}
