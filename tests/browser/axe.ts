import axe from 'axe-core'
import type { Frame, Page } from 'playwright-core'

/** Rules for whole pages, which do not apply to the document of one field. */
const ofPages = ['landmark-one-main', 'page-has-heading-one', 'region']
const optionsWithout = (rules: readonly string[]): string =>
  JSON.stringify({
    iframes: false,
    resultTypes: ['violations'],
    rules: Object.fromEntries(rules.map((rule) => [rule, { enabled: false }])),
  })

/**
 * Rules that do not apply to a frame's document. The documents of fields are transparent, which axe takes for white:
 * their text has the colours of the surrounding fields, on the same background.
 */
const beside = (frame: Frame): readonly string[] => {
  if (frame.parentFrame() === null) return []
  return frame.url().includes('/pages/fields/') ? [...ofPages, 'color-contrast'] : ofPages
}

/** The findings of axe for the page or, if given, for each of the frames. */
export async function axeFinds(page: Page, where = [page.mainFrame()]): Promise<readonly string[]> {
  const found: string[] = []
  for (const frame of where) {
    const options = optionsWithout(beside(frame))
    const { violations }: axe.AxeResults = await frame.evaluate(`${axe.source};axe.run(document, ${options})`)
    found.push(...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`))
  }
  return found
}
