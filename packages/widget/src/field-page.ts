import { escapeHtml } from '@tollgate/contract'

/**
 * Parameters of the page of one field. All URLs are of the gateway's origin; integrity as in the attribute, `sha384-…`.
 */
export interface FieldPage {
  /** As in `fieldPagePolicy`. */
  readonly nonce: string
  readonly scriptUrl: string
  readonly scriptIntegrity: string
  readonly styleUrl: string
  readonly styleIntegrity: string
  /** BCP 47. */
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  readonly title: string
}

/**
 * The page of one field, `GET /pages/fields/number` and `/pages/fields/cvv`. Both have the same document: its script
 * reads the path.
 *
 * @returns an HTML document
 */
export function fieldPage(page: FieldPage): string {
  const { nonce, scriptUrl, scriptIntegrity, styleUrl, styleIntegrity, lang, dir, title } = page
  const at = (text: string) => `"${escapeHtml(text)}"`
  return `<!doctype html>
<html lang=${at(lang)} dir=${at(dir)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href=${at(styleUrl)} integrity=${at(styleIntegrity)} crossorigin="anonymous" nonce=${at(nonce)}>
<script src=${at(scriptUrl)} integrity=${at(scriptIntegrity)} crossorigin="anonymous" nonce=${at(nonce)} defer></script>
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
 * The `Content-Security-Policy` of that page: only scripts and styles with the nonce load, and only the gateway can be
 * contacted. Any page may frame it, because shops have any origin.
 *
 * @param nonce fresh for each answer, base64
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
