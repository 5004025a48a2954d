import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

const chunkBytes = 16 * 1024 * 1024

/** The resident memory of a process, in bytes. */
export function residentBytes(pid: number): number {
  const [, kilobytes = ''] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/**
 * The readable memory of a running process in chunks, as in a core dump, except files that are mapped read-only and
 * mappings of the kernel.
 * @param overlapBytes overlap of successive chunks: the length of the longest searched value, so that every occurrence
 *   is within one chunk
 */
export function* memoryOf(
  pid: number,
  overlapBytes: number,
): Generator<{ readonly position: string; readonly bytes: Buffer }> {
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  const buffer = Buffer.alloc(chunkBytes)
  try {
    for (const { name, start, end } of mappingsOf(pid)) {
      for (let address = start; address < end; address += chunkBytes - overlapBytes) {
        const length = readMapped(memory, buffer, Math.min(chunkBytes, end - address), address)
        yield { position: `${name} ${address.toString(16)}`, bytes: buffer.subarray(0, length) }
      }
    }
  } finally {
    closeSync(memory)
  }
}

/** @returns the number of bytes that were read; 0 if the process has released the mapping since */
function readMapped(memory: number, buffer: Buffer, length: number, address: number): number {
  try {
    return readSync(memory, buffer, 0, length, address)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EIO') return 0
    throw error
  }
}

interface Mapping {
  readonly name: string
  readonly start: number
  readonly end: number
}

function mappingsOf(pid: number): readonly Mapping[] {
  const lines = readFileSync(`/proc/${pid}/maps`, 'utf8').trimEnd().split('\n')
  return lines.flatMap((line) => {
    const [range = '', access = '', , , inode, name = ''] = line.split(/\s+/, 6)
    const [start = 0, end = 0] = range.split('-').map((bound) => Number.parseInt(bound, 16))
    const isOfFile = inode !== '0' && !access.includes('w')
    const isOfKernel = name.startsWith('[v')
    return access.startsWith('r') && !isOfFile && !isOfKernel ? [{ name, start, end }] : []
  })
}
