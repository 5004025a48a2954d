type Attributes = Readonly<Record<string, string | undefined>>

/** Creates an element with the given classes, each prefixed by `wpwl-`. Strings become text, never markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  classes: string,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag)
  node.className = classes.replaceAll(/\S+/g, 'wpwl-$&')
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) node.setAttribute(name, value)
  node.append(...children)
  return node
}
