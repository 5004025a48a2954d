import { type Html, html } from './html.ts'
import type { Texts } from './texts.ts'

/** A page of the simulated bank. */
export const documentOf = (url: string, texts: Texts, title: string, body: Html, script: Html): string =>
  html`<!doctype html>
<html lang="${texts.tag}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${url}/acs/style.css">
</head>
<body>
<header>
<p class="bank"><span aria-hidden="true" class="mark"></span>${texts.bank}</p>
<p class="test">${texts.test}</p>
</header>
<main>
${body}
</main>
${script}
</body>
</html>
`.html
