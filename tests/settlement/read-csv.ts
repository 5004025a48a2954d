/** The records of a CSV text with semicolons (RFC 4180, whose separator is a comma). Throws at an invalid quote. */
export function readCsv(text: string): readonly (readonly string[])[] {
  const records: string[][] = []
  let fields: string[] = []
  let at = 0
  while (at < text.length) {
    const [field, end] = text[at] === '"' ? quotedField(text, at) : plainField(text, at)
    fields.push(field)
    const separator = text[end]
    if (separator !== ';' && separator !== '\n') throw new Error(`a field at ${at} ends with ${separator}`)
    if (separator === '\n') {
      records.push(fields)
      fields = []
    }
    at = end + 1
  }
  if (fields.length > 0) throw new Error('the last record has no end')
  return records
}

function plainField(text: string, start: number): readonly [field: string, end: number] {
  let end = start
  while (end < text.length && text[end] !== ';' && text[end] !== '\n') end += 1
  const field = text.slice(start, end)
  if (field.includes('"')) throw new Error(`the field at ${start} has a quote`)
  return [field, end]
}

function quotedField(text: string, start: number): readonly [field: string, end: number] {
  let field = ''
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at)
    if (quote === -1) throw new Error(`the quote at ${start} has no end`)
    field += text.slice(at, quote)
    if (text[quote + 1] !== '"') return [field, quote + 1]
    field += '"'
    at = quote + 2
  }
}

/** The text of records, with quotes only where they are needed. */
export const writeCsv = (records: readonly (readonly string[])[]): string =>
  records
    .map(
      (fields) =>
        `${fields.map((field) => (/[;"\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(';')}\n`,
    )
    .join('')
