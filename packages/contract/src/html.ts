/** Text that is HTML already, and is not escaped once more. */
export interface Html {
  readonly html: string
}

type Part = string | number | Html | readonly Html[] | undefined

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for an element of HTML, or for an attribute in quotes. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => references[sign] ?? '')

function htmlOf(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(({ html: one }) => one).join('')
}

/** A template of HTML: every text in it is escaped, undefined leaves nothing. Attributes need quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: strings.reduce((all, text, index) => all + htmlOf(parts[index - 1]) + text) }
}
