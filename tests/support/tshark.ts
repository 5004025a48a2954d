import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Forwarded } from './tcp-forwarder.ts'

// Wireshark's decoder of ISO 8583, an implementation that shares no code with ours.

const HOST_PORT = 8583
const CLIENT_PORT = 40_000

const run = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 * 1024 * 1024 })

/** Whether tshark and text2pcap are installed. */
export function hasTshark(): boolean {
  try {
    return ['tshark', 'text2pcap'].every((program) => run(program, ['--version']) !== '')
  } catch {
    return false
  }
}

/** A dump for text2pcap, with one packet for each part that arrived: O from the client, I from the host. */
function dumpOf(session: readonly Forwarded[]): string {
  const packets = session.map(({ from, bytes }) => {
    const lines = [from === 'client' ? 'O' : 'I']
    for (let offset = 0; offset < bytes.length; offset += 16) {
      const row = Array.from(bytes.subarray(offset, offset + 16), (byte) => byte.toString(16).padStart(2, '0'))
      lines.push(`${offset.toString(16).padStart(6, '0')} ${row.join(' ')}`)
    }
    return lines.join('\n')
  })
  return `${packets.join('\n\n')}\n`
}

/** A message as Wireshark decodes it: its type, and its values as texts by the numbers of their fields. */
export interface SharkMessage {
  readonly type: string
  readonly fields: Readonly<Record<number, string>>
}

/** A session as Wireshark decodes it. */
export interface SharkSession {
  readonly messages: readonly SharkMessage[]
  /** The number of packets that Wireshark calls malformed, or in which it finds an error. */
  readonly faults: number
}

const LAST_FIELD = 128
const fieldNumbers = Array.from({ length: LAST_FIELD - 1 }, (_, index) => index + 2)
const FAULTS = '_ws.malformed || iso8583.MALFORMED || _ws.expert.severity == error'

/** A header of two bytes, the first of which is the higher, and texts. */
const preferences = [
  'len_endian:Big endian',
  'charset:Digits represented as ASCII Characters',
  'binencode:Bin data represented as Hex Ascii characters',
].flatMap((preference) => ['-o', `iso8583.${preference}`])

/**
 * Decodes the bytes of one connection, whose frames have a header of two bytes and whose messages are texts. Each part
 * of `session` must be one frame.
 */
export function decodeSession(session: readonly Forwarded[]): SharkSession {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-tshark-'))
  try {
    const [dump, capture] = [join(folder, 'session.txt'), join(folder, 'session.pcap')]
    writeFileSync(dump, dumpOf(session))
    run('text2pcap', ['-q', '-D', '-T', `${HOST_PORT},${CLIENT_PORT}`, dump, capture])
    const options = ['-r', capture, '-d', `tcp.port==${HOST_PORT},iso8583`, ...preferences]
    const linesOf = (args: readonly string[]) =>
      run('tshark', [...options, ...args])
        .split('\n')
        .filter((line) => line !== '')
    const names = ['iso8583.mti', ...fieldNumbers.map((number) => `iso8583.bit${number}`)]
    const rows = linesOf(['-Y', 'iso8583', '-T', 'fields', ...names.flatMap((name) => ['-e', name])])
    return { messages: rows.map(messageOf), faults: linesOf(['-Y', FAULTS]).length }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function messageOf(row: string): SharkMessage {
  const [type = '', ...values] = row.split('\t')
  const fields = fieldNumbers.flatMap((number, index) => (values[index] ? [[number, values[index]] as const] : []))
  return { type, fields: Object.fromEntries(fields) }
}
