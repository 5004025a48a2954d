import { currencyIn } from '../currency-of.ts'
import { readField, reasonOf } from '../field.ts'
import { controlCharacterIn } from '../control-character.ts'
import { FaultError, type FaultReason, type Place } from '../file-fault.ts'
import type { Value } from '../value-kinds.ts'
import { type CamtField, type CamtFormat, type CamtGroupName, camtGroups, camtMessages } from './elements.ts'
import { type TreeNode, treeOf } from './group-tree.ts'
import { createXmlParser, type XmlElement, type XmlParser } from './parse-xml.ts'

/** The values of a group by member, and the place where it begins. */
export interface Group {
  readonly name: CamtGroupName
  readonly values: { readonly [Member in string]?: Value | undefined }
  readonly line: number
}

/** Receives the groups of a message. */
export interface GroupHandler {
  /** Called when a nested group begins, with all values of the group around it. */
  enter(outer: Group, inner: CamtGroupName, fail: Fail): void
  /** Called at the end of a group. */
  leave(group: Group, fail: Fail): void
}

/** Rejects the file at the present place. @param element the element in question, if it is not the group */
export type Fail = (reason: FaultReason, element?: string) => never

interface OpenGroup extends Group {
  readonly values: { [Member in string]?: Value | undefined }
  readonly line: number
  /** The path from which each value was read. */
  readonly nodes: Map<string, TreeNode>
  hasInner: boolean
}

/** Reads the groups of a message, in any version of its namespace. */
export function createGroupReader(format: CamtFormat, handler: GroupHandler): XmlParser {
  const { namespace, message } = camtMessages[format]
  const tree = treeOf(format)
  /** The nodes of the open elements; undefined for those that no table names. */
  const open: (TreeNode | undefined)[] = []
  const groups: OpenGroup[] = []
  let rootNamespace = ''
  let messageCount = 0

  const failAt =
    (place: Place): Fail =>
    (reason, element) => {
      throw new FaultError(reason, place, element ?? groups.at(-1)?.name)
    }

  const openRoot = ({ name, namespace: found }: XmlElement, place: Place): void => {
    if (name !== 'Document' || !found.startsWith(namespace) || !/^\d\d$/.test(found.slice(namespace.length)))
      throw new FaultError('NAMESPACE', place)
    rootNamespace = found
    open.push(undefined)
  }

  const openMessage = ({ name }: XmlElement, place: Place): void => {
    if (name !== message) throw new FaultError('NAMESPACE', place, message)
    if (++messageCount > 1) throw new FaultError('REPEATED', place, message)
    open.push(tree)
  }

  const beginGroup = (name: CamtGroupName, place: Place): void => {
    const outer = groups.at(-1)
    if (outer) {
      if (!outer.hasInner) checkRequired(outer, failAt(place))
      outer.hasInner = true
      handler.enter(outer, name, failAt(place))
    }
    groups.push({ name, values: {}, line: place.line, nodes: new Map(), hasInner: false })
  }

  const addValue = (field: CamtField, node: TreeNode, text: string, place: Place): void => {
    const group = groups.at(-1)
    if (group === undefined) return
    const fail = failAt(place)
    const first = group.nodes.get(field.member)
    if (first !== undefined) return first === node && !field.repeats ? fail('REPEATED', field.name) : undefined
    if (group.hasInner) return fail('RECORD_ORDER', field.name)
    const currency = field.currency === undefined ? undefined : group.values[field.currency]
    if (field.currency !== undefined && currency === undefined) return fail('MISSING', `${field.name}@Ccy`)
    if (controlCharacterIn(text) >= 0) return fail('CONTROL_CHARACTER', field.name)
    const value = readField(field, text, currencyIn(currency))
    if (value === undefined) return fail(reasonOf(field, text), field.name)
    group.nodes.set(field.member, node)
    group.values[field.member] = value
  }

  return createXmlParser({
    open(element, place) {
      if (open.length === 0) return openRoot(element, place)
      if (open.length === 1) return openMessage(element, place)
      const parent = open.at(-1)
      const node = element.namespace === rootNamespace ? parent?.children.get(element.name) : undefined
      open.push(node)
      if (node?.group) beginGroup(node.group, place)
      for (const [name, field] of node?.attributes ?? []) {
        const attribute = element.attributes[name]
        if (attribute) addValue(field, node ?? tree, attribute.value, place)
      }
    },
    close(text, place) {
      const node = open.pop()
      if (node?.field) addValue(node.field, node, text, place)
      if (node?.group === undefined) return
      const group = groups.at(-1)
      if (group === undefined) return
      if (!group.hasInner) checkRequired(group, failAt(place))
      handler.leave(group, failAt(place))
      groups.pop()
    },
  })
}

/** Checks that a group has its required elements, before its first nested group or at its end. */
function checkRequired({ name, values }: Group, fail: Fail): void {
  const missing = camtGroups[name].fields.find(
    ({ member, isRequired }: CamtField) => isRequired && values[member] === undefined,
  )
  if (missing) fail('MISSING', missing.name)
}
