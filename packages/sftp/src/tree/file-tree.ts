import type { FileInfo } from '../protocol/packets.ts'

/** The reason why a tree does not carry out a request. */
export type TreeFailure = 'noSuchFile' | 'permissionDenied' | 'exists' | 'noSpace' | 'failed'

/** An entry of a folder. */
export interface FileEntry extends FileInfo {
  readonly name: string
}

/** A file that is open for reading. */
export interface OpenFile {
  readonly info: () => Promise<FileInfo | TreeFailure>
  /** Reads bytes from a position. @returns fewer bytes than requested only at the end of the file, and none after it */
  readonly read: (position: number, bytesMax: number) => Promise<Uint8Array | TreeFailure>
  readonly close: () => Promise<void>
}

/** A file that is open for writing, and for reading if its mode says so. */
export interface WritableFile extends OpenFile {
  readonly write: (position: number, bytes: Uint8Array) => Promise<TreeFailure | undefined>
  /** Resolves when the written bytes are on disk. */
  readonly sync: () => Promise<TreeFailure | undefined>
}

/** How a file is opened for writing. */
export interface WriteMode {
  readonly reads: boolean
  /** Creates the file if it does not exist. */
  readonly creates: boolean
  readonly truncates: boolean
  /** Creates the file, and fails if it exists. */
  readonly isExclusive: boolean
}

/** The operations of a tree that clients may change. Each returns undefined, or the reason of a failure. */
export interface TreeWrites {
  readonly open: (path: string, mode: WriteMode) => Promise<WritableFile | TreeFailure>
  /** Renames a file. @param replaces whether it may replace a file */
  readonly rename: (from: string, to: string, replaces: boolean) => Promise<TreeFailure | undefined>
  readonly remove: (path: string) => Promise<TreeFailure | undefined>
  readonly createFolder: (path: string) => Promise<TreeFailure | undefined>
  readonly removeFolder: (path: string) => Promise<TreeFailure | undefined>
}

/**
 * The files that a server shows. All paths are absolute, without `.`, `..` and empty parts. A tree has files and
 * folders only: links and special files do not exist in it.
 */
export interface FileTree {
  readonly stat: (path: string) => Promise<FileInfo | TreeFailure>
  /** The entries of a folder, which are read while they are iterated. */
  readonly list: (path: string) => Promise<AsyncIterator<FileEntry, void> | TreeFailure>
  readonly open: (path: string) => Promise<OpenFile | TreeFailure>
  /** Present in trees that clients may change. */
  readonly writes?: TreeWrites
}

/** Whether the result of an operation of a tree is a failure. */
export const isFailure = (result: unknown): result is TreeFailure => typeof result === 'string'
