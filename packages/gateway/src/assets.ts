import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

/** A file that browsers load from us. */
export interface Asset {
  readonly type: string
  readonly body: Buffer
  /** The same for browsers that take it compressed, made when the first of them asks. */
  readonly compressed: () => Buffer
  /** A Subresource Integrity value. */
  readonly integrity: string
}

/** What the build has made for browsers: the widget's script, its frames, styles and logos. */
export interface Assets {
  /** @param name such as `widget.css` or `logos/VISA.svg` */
  find(name: string): Asset | undefined
  /** Throws where there is no such file: it belongs to the program. */
  integrityOf(name: string): string
  /** What the build has written down: the Subresource Integrity value of each file as it was made, by its name. */
  readonly built: ReadonlyMap<string, string>
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

let built: Assets | undefined

/** All assets, read once per process: they are few and small, and what is served is what was hashed. */
export function builtAssets(): Assets {
  built ??= readAssets(new URL('./assets/', import.meta.url))
  return built
}

function readAssets(folder: URL): Assets {
  const files = new Map<string, Asset>()
  for (const name of existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []) {
    const type = types[name.slice(name.lastIndexOf('.') + 1)]
    if (type === undefined) continue
    const body = readFileSync(new URL(name, folder))
    const integrity = `sha384-${createHash('sha384').update(body).digest('base64')}`
    let compressed: Buffer | undefined
    files.set(name, { type, body, integrity, compressed: () => (compressed ??= gzipSync(body, { level: 9 })) })
  }
  return {
    built: readIndex(new URL('index.json', folder)),
    find: (name) => files.get(name),
    integrityOf(name) {
      const file = files.get(name)
      if (!file) throw new Error(`the build has not made ${name}`)
      return file.integrity
    },
  }
}

function readIndex(file: URL): ReadonlyMap<string, string> {
  const index: object = existsSync(file) ? Object(JSON.parse(readFileSync(file, 'utf8'))) : {}
  return new Map(Object.entries(index).map(([name, { sha384 }]) => [name, `sha384-${String(sha384)}`]))
}
