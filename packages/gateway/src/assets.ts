import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

/** A file of the build that browsers load from the gateway. */
export interface Asset {
  readonly type: string
  readonly body: Buffer
  /** Returns the file compressed by gzip; the first call compresses it. */
  readonly compressed: () => Buffer
  /** A Subresource Integrity value. */
  readonly integrity: string
}

/** The files of the build for browsers: scripts and styles of the widget, its frames and the pages, and the logos. */
export interface Assets {
  /** @param name such as `widget.css` or `logos/VISA.svg` */
  find(name: string): Asset | undefined
  /** @throws Error for an unknown name, because the gateway refers only to files of the build */
  integrityOf(name: string): string
  /** The Subresource Integrity value of each file, by its name, as the build computed it. */
  readonly integrityAtBuild: ReadonlyMap<string, string>
}

const contentTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

let built: Assets | undefined

/**
 * All assets. They are read once per process, so that the served bytes are the hashed bytes; they are few and small
 * enough to stay in memory.
 */
export function builtAssets(): Assets {
  built ??= readAssets(new URL('./assets/', import.meta.url))
  return built
}

function readAssets(folder: URL): Assets {
  const files = new Map<string, Asset>()
  for (const name of existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []) {
    const type = contentTypes[name.slice(name.lastIndexOf('.') + 1)]
    if (type === undefined) continue
    const body = readFileSync(new URL(name, folder))
    const integrity = `sha384-${createHash('sha384').update(body).digest('base64')}`
    let compressed: Buffer | undefined
    files.set(name, { type, body, integrity, compressed: () => (compressed ??= gzipSync(body, { level: 9 })) })
  }
  return {
    integrityAtBuild: readIndex(new URL('index.json', folder)),
    find: (name) => files.get(name),
    integrityOf(name) {
      const file = files.get(name)
      if (!file) throw new Error(`the build contains no asset ${name}`)
      return file.integrity
    },
  }
}

function readIndex(file: URL): ReadonlyMap<string, string> {
  const index: object = existsSync(file) ? Object(JSON.parse(readFileSync(file, 'utf8'))) : {}
  return new Map(Object.entries(index).map(([name, { sha384 }]) => [name, `sha384-${String(sha384)}`]))
}
