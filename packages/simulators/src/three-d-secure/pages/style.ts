import { asset } from '../../http/asset.ts'

/**
 * The style sheet of the pages of the ACS, light and dark, from the smallest challenge window (250 by 400 pixels) to a
 * full screen. The contrast of text to its background is above 4.5 to 1, and that of controls above 3 to 1.
 */
export const acsStyle = asset(
  '/acs/assets',
  'style',
  'css',
  `
:root {
  color-scheme: light dark;
  --ground: #ffffff;
  --text: #17212b;
  --quiet: #51606f;
  --line: #75838f;
  --soft: #eef2f5;
  --accent: #0b5c7d;
  --on-accent: #ffffff;
  --wrong: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12191f;
    --text: #eef3f6;
    --quiet: #aab7c1;
    --line: #7c8a95;
    --soft: #1e282f;
    --accent: #7cc7e4;
    --on-accent: #082532;
    --wrong: #ff9d94;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  max-width: 30rem;
  padding: 0.75rem;
  background: var(--ground);
  color: var(--text);
  font: 0.9375rem/1.4 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
@media (min-width: 40rem) and (min-height: 40rem) {
  body { padding-top: 10vh; }
}
header { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; justify-content: space-between; align-items: center; }
header p { margin: 0; }
.bank { display: flex; gap: 0.5rem; align-items: center; font-weight: 600; }
.mark { width: 1.25rem; height: 1.25rem; border-radius: 0.375rem; background: var(--accent); }
.test { padding: 0 0.5rem; border-radius: 1rem; background: var(--soft); color: var(--quiet); font-size: 0.8125rem; }
h1 { margin: 0.75rem 0 0.25rem; font-size: 1.125rem; line-height: 1.25; }
main p { margin: 0.25rem 0 0.5rem; }
.facts {
  display: grid;
  grid-template-columns: auto 1fr;
  gap: 0.125rem 0.75rem;
  margin: 0.5rem 0;
  padding: 0.5rem 0.625rem;
  border-radius: 0.5rem;
  background: var(--soft);
}
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; text-align: end; font-weight: 600; }
label { display: block; margin: 0.5rem 0 0.5rem; font-weight: 600; }
input {
  width: 100%;
  min-height: 2.75rem;
  padding: 0.375rem 0.625rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--ground);
  color: var(--text);
  font: inherit;
  font-size: 1.125rem;
  letter-spacing: 0.15em;
}
input[aria-invalid='true'] { border-color: var(--wrong); }
.wrong { color: var(--wrong); font-weight: 600; }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0.75rem 0; }
button {
  flex: 1 1 6rem;
  min-height: 2.75rem;
  padding: 0.375rem 0.75rem;
  border: 1px solid var(--accent);
  border-radius: 0.5rem;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  font-weight: 600;
  cursor: pointer;
}
button.plain { background: transparent; color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
details { margin-top: 0.5rem; color: var(--quiet); font-size: 0.875rem; }
summary { min-height: 1.75rem; cursor: pointer; }
table { border-collapse: collapse; }
th, td { padding: 0.125rem 1rem 0.125rem 0; text-align: start; font-weight: 400; font-variant-numeric: tabular-nums; }
[dir='rtl'] th, [dir='rtl'] td { padding: 0.125rem 0 0.125rem 1rem; }
`,
)
