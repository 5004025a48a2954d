/** A page for a shopper who has come to nowhere: it says so in a sentence, in his language where that is known. */
export const plainPage = (language: string, title: string, text: string): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escaped(title)}</title>` +
  `<meta name="viewport" content="width=device-width"></head>` +
  `<body><main><h1>${escaped(title)}</h1><p>${escaped(text)}</p></main></body></html>`

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? '')
