// Builds the files of the widget for browsers, which the gateway serves under /pages/assets: loader, form, scripts of
// the frames and of the authentication page, styles and logos. index.json contains their digests. The loader contains
// the digest of the form, and the form that of its styles, so that the digest of the loader covers all three.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..')
const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml' }

/** @param folders the folders, relative to the root, in which an `assets` folder is written */
export async function buildWidget(folders) {
  const { brandLogo } = await import('../packages/widget/dist/index.js')
  const { brands, countries } = await import('../packages/contract/dist/index.js')
  const styles = stylesOf('widget')
  const form = await scriptOf('form', 'es', {
    STYLE_INTEGRITY: integrity(styles),
    COUNTRIES: JSON.stringify(Object.keys(countries).join('')),
  })
  const cards = JSON.stringify(
    Object.keys(brands)
      .filter((code) => brands[code].kind === 'card')
      .join(' '),
  )
  const logos = Object.entries(brands).map(([code, { name }]) => [`logos/${code}.svg`, brandLogo(code, name)])
  const files = new Map([
    ['paymentWidgets.js', await scriptOf('loader', 'iife', { FORM_INTEGRITY: integrity(form), CARD_BRANDS: cards })],
    ['form.js', form],
    ['widget.css', styles],
    ['frame.js', await scriptOf('frame', 'iife', {})],
    ['authentication.js', await scriptOf('authentication', 'iife', {})],
    ['authentication.css', stylesOf('authentication')],
    ['frame.css', stylesOf('frame')],
    ...logos,
  ])
  const index = Object.fromEntries(
    Array.from(files, ([name, text]) => [name, { type: types[name.split('.').at(-1)], sha384: sha384(text) }]),
  )
  for (const folder of folders) {
    for (const [name, text] of [...files, ['index.json', `${JSON.stringify(index, undefined, 1)}\n`]]) {
      const path = join(root, folder, 'assets', name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
  }
}

const integrity = (text) => JSON.stringify(`sha384-${sha384(text)}`)
const sha384 = (text) => createHash('sha384').update(text).digest('base64')

/** A style sheet without comments and unnecessary white space. */
function stylesOf(name) {
  const text = readFileSync(join(root, `packages/widget/src/assets/${name}.css`), 'utf8')
  return text
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(';}', '}')
    .trim()
}

async function scriptOf(name, format, define) {
  const bundle = await rolldown({
    input: join(root, `packages/widget/dist/${name}/main.js`),
    platform: 'browser',
    transform: { define },
    treeshake: { moduleSideEffects: (id) => id.endsWith('main.js') },
  })
  const { output } = await bundle.generate({ format, minify: true, sourcemap: false })
  return output[0].code
}
