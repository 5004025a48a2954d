/** Text that is already HTML and is not escaped again. */
export interface Html {
  readonly html: string
}

type Part = string | number | Html | readonly Html[] | undefined

const characterReferences: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for the content of an HTML element, or for an attribute in quotes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => characterReferences[character] ?? '')

function htmlOf(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map((each) => each.html).join('')
}

/** A template of HTML: every inserted text is escaped, and undefined is omitted. Attributes need quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: strings.reduce((all, text, index) => all + htmlOf(parts[index - 1]) + text) }
}
