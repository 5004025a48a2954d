import axe from 'axe-core'
import type { Frame, Page } from 'playwright-core'

/** Rules for whole pages, which do not apply to the document of a frame. */
const pageRules = ['landmark-one-main', 'page-has-heading-one', 'region']
const axeOptionsWithout = (rules: readonly string[]): string =>
  JSON.stringify({
    iframes: false,
    resultTypes: ['violations'],
    rules: Object.fromEntries(rules.map((rule) => [rule, { enabled: false }])),
  })

/**
 * Rules that do not apply to a frame's document. The documents of fields are transparent, which axe treats as white:
 * it would measure a wrong contrast. Their text has the colours and the background of the fields around the frame. For
 * those fields axe measures the contrast.
 */
const skippedRules = (frame: Frame): readonly string[] => {
  if (frame.parentFrame() === null) return []
  return frame.url().includes('/pages/fields/') ? [...pageRules, 'color-contrast'] : pageRules
}

/** Resolves when the CSS transitions in progress have ended: during a transition, colours have less contrast. */
const transitionsEnd = `Promise.allSettled(document.getAnimations()
  .filter((animation) => animation instanceof CSSTransition).map(({ finished }) => finished))`

/** The violations that axe finds in the frames, by default in the main frame of the page. */
export async function axeViolations(page: Page, frames = [page.mainFrame()]): Promise<readonly string[]> {
  const findings: string[] = []
  for (const frame of frames) {
    const options = axeOptionsWithout(skippedRules(frame))
    await frame.evaluate(`${transitionsEnd}.then(() => undefined)`)
    const { violations }: axe.AxeResults = await frame.evaluate(`${axe.source};axe.run(document, ${options})`)
    findings.push(...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`))
  }
  return findings
}
