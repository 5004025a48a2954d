import { escapeHtml } from '@tollgate/contract'

/**
 * Parameters of the page of a field. All URLs have the gateway's origin. The digests have the format of the attribute
 * `integrity`: `sha384-…`.
 */
export interface FieldPage {
  /** The nonce of `fieldPagePolicy`. */
  readonly nonce: string
  readonly scriptUrl: string
  readonly scriptIntegrity: string
  readonly styleUrl: string
  readonly styleIntegrity: string
  /** A BCP 47 tag. */
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  readonly title: string
}

/**
 * Renders the page of a field, `GET /pages/fields/number` or `/pages/fields/cvv`. Both have the same document, whose
 * script reads the path.
 *
 * @returns an HTML document
 */
export function fieldPage(page: FieldPage): string {
  const { nonce, scriptUrl, scriptIntegrity, styleUrl, styleIntegrity, lang, dir, title } = page
  const quoted = (text: string) => `"${escapeHtml(text)}"`
  const style =
    `<link rel="stylesheet" href=${quoted(styleUrl)} integrity=${quoted(styleIntegrity)}` +
    ` crossorigin="anonymous" nonce=${quoted(nonce)}>`
  const script =
    `<script src=${quoted(scriptUrl)} integrity=${quoted(scriptIntegrity)}` +
    ` crossorigin="anonymous" nonce=${quoted(nonce)} defer></script>`
  return `<!doctype html>
<html lang=${quoted(lang)} dir=${quoted(dir)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${style}
${script}
</head>
<body>
<div>
<label for="field">${escapeHtml(title)}</label>
<input id="field" aria-describedby="hint" inputmode="numeric" dir="ltr" required spellcheck="false">
<p id="hint"></p>
</div>
</body>
</html>
`
}

/**
 * The `Content-Security-Policy` of the page of a field: only scripts and styles with the nonce load, and the page can
 * connect only to the gateway. Pages of every origin may embed a field, because a shop can have any origin.
 *
 * @param nonce random base64, new for each answer
 */
export const fieldPagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
