import { type CamtField, type CamtFormat, type CamtGroupName, camtGroups, camtMessages } from './elements.ts'

/** An element that a table names, or one on the way to it. */
export interface TreeNode {
  readonly children: Map<string, TreeNode>
  /** The field that is the text of the element. */
  field?: CamtField
  /** The fields that are attributes of the element, by the attribute's name. */
  readonly attributes: Map<string, CamtField>
  /** The group that begins with the element. */
  group?: CamtGroupName
}

const newNode = (): TreeNode => ({ children: new Map(), attributes: new Map() })

function nodeAt(start: TreeNode, path: string): TreeNode {
  let node = start
  for (const name of path.split('/')) {
    const child = node.children.get(name) ?? newNode()
    node.children.set(name, child)
    node = child
  }
  return node
}

function addField(group: TreeNode, field: CamtField): void {
  for (const path of field.paths) {
    const [element = '', attribute] = path.split('@')
    const node = nodeAt(group, element)
    if (attribute === undefined) node.field = field
    else node.attributes.set(attribute, field)
  }
}

const groupNames = [
  'message',
  'statement',
  'balance',
  'entry',
  'transaction',
] as const satisfies readonly CamtGroupName[]

/** The tables of a format as a tree of elements, from the one around the groups (`BkToCstmrStmt`). */
export function treeOf(format: CamtFormat): TreeNode {
  const root = newNode()
  for (const name of groupNames) {
    const { path, fields } = camtGroups[name]
    const node = nodeAt(root, path.replace('*', camtMessages[format].statement))
    node.group = name
    for (const field of fields) addField(node, field)
  }
  return root
}
