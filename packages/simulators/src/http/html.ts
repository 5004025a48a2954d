/** Text that is HTML already, and is not escaped once more. */
export interface Html {
  readonly html: string
}

type Part = string | number | Html | readonly Html[] | undefined

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? '')

function htmlOf(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'string') return escaped(part)
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map((one) => one.html).join('')
}

/** A template of HTML, in which every text is escaped; quote attributes. undefined leaves nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: strings.reduce((all, text, index) => all + htmlOf(parts[index - 1]) + text) }
}
