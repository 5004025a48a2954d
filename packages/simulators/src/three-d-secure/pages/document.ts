import { type Html, html } from '@tollgate/contract'
import { languageOf } from '../../http/page-language.ts'
import { acsStyle } from './style.ts'
import type { Texts } from './texts.ts'

/** The HTML document of every page of the ACS, around its content. */
export function documentOf(url: string, texts: Texts, title: string, body: Html, script?: Html): Html {
  const { tag, direction } = languageOf(texts.language)
  return html`<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${url}${acsStyle.path}">
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
`
}
