import type { PacketReader } from '../protocol/packets.ts'
import { isTemporaryName } from '../temporary-name.ts'
import type { FileTree } from '../tree/file-tree.ts'
import { lastNameOf, pathBelow, resolvePath } from '../virtual-path.ts'

/**
 * Reads the path of a request.
 *
 * @param root the path in the tree that is `/` for the user
 * @returns its path in the tree; undefined if there can be no such file
 */
export function readPath(request: PacketReader, { tree, root }: { tree: FileTree; root: string }): string | undefined {
  const path = resolvePath(request.bytes())
  if (path === undefined || isHidden(tree, lastNameOf(path))) return undefined
  return pathBelow(root, path)
}

/** Whether a name does not exist for clients: readers see no file whose upload has not ended, and its writer does. */
export const isHidden = (tree: FileTree, name: string): boolean => tree.writes === undefined && isTemporaryName(name)
