import { html } from '@tollgate/contract'
import { asset } from '../http/asset.ts'

/** The icon of the pages, a coin. */
export const bankIcon = asset(
  '/bank/assets',
  'icon',
  'svg',
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="#0b4a8f"/>
<circle cx="16" cy="16" r="10" fill="none" stroke="#fff" stroke-width="3"/></svg>`.html,
)

/** The style sheet of the pages, with one column on every screen, and with light and dark colours for each theme. */
export const bankStyle = asset(
  '/bank/assets',
  'style',
  'css',
  `
:root {
  color-scheme: light dark;
  --page: #eef1f5; --card: #fff; --text: #17202b; --quiet: #526072; --line: #cfd7e1; --field: #8494a7;
  --brand: #0b4a8f; --on-brand: #fff; --tint: #e6eef8; --notice: #fff4d6; --on-notice: #6b4a00; --wrong: #b3261e;
}
.wallet { --brand: #5b2bb5; --tint: #f0eafb; }
.voucher { --brand: #0a6b4f; --tint: #e3f4ee; }
.credit { --brand: #a52a5c; --tint: #fbe9f0; }
@media (prefers-color-scheme: dark) {
  :root {
    --page: #10151c; --card: #1a222d; --text: #e9eef5; --quiet: #a8b5c5; --line: #34404f; --field: #75859a;
    --brand: #8ab8f5; --on-brand: #08203d; --tint: #1f2f44; --notice: #3a2f10; --on-notice: #ffdf8f; --wrong: #ffb4ab;
  }
  .wallet { --brand: #c3a8ff; --on-brand: #24094f; --tint: #2c2344; }
  .voucher { --brand: #7fd8b8; --on-brand: #00382a; --tint: #173329; }
  .credit { --brand: #ffb0cb; --on-brand: #4b0926; --tint: #3b2130; }
}
* { box-sizing: border-box; }
html { background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 34rem; padding: 1rem 1rem 3rem; overflow-wrap: break-word; }
h1, h2, p, dl, dd { margin: 0; }
a { color: var(--brand); }
:focus-visible { outline: 3px solid var(--brand); outline-offset: 2px; }

.top { align-items: center; display: flex; flex-wrap: wrap; gap: .5rem 1rem; justify-content: space-between; }
.notice {
  background: var(--notice); border-radius: 1rem; color: var(--on-notice); font-size: .875rem;
  padding: .125rem .75rem;
}
.languages { display: flex; font-size: .875rem; }
.languages a, .languages span { min-height: 1.5rem; padding: .25rem .5rem; }
.languages span { color: var(--quiet); }

.card {
  background: var(--card); border: 1px solid var(--line); border-radius: 1rem; margin-top: 1rem; overflow: hidden;
}
.brand { align-items: center; background: var(--tint); display: flex; gap: .875rem; padding: 1rem 1.25rem; }
.mark {
  background: var(--brand); border-radius: .75rem; fill: var(--on-brand); flex: none; height: 3rem; padding: .375rem;
  width: 3rem;
}
.brand h1 { font-size: 1.25rem; line-height: 1.25; }
.brand p { color: var(--quiet); font-size: .875rem; }
.body { padding: 1.25rem; }
.sum { font-size: 2.25rem; font-weight: 700; font-variant-numeric: tabular-nums; line-height: 1.2; }
.facts > div {
  border-top: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between;
  padding: .625rem 0;
}
.facts > div:first-child { border: 0; display: block; padding-top: 0; }
.facts { margin-bottom: .75rem; }
.facts dt { color: var(--quiet); }
.facts dd { font-weight: 500; min-width: 0; }
.facts .sum { font-weight: 700; }
.slip {
  background: var(--page); border-radius: .5rem; font: 600 1.125rem/1.4 ui-monospace, monospace;
  letter-spacing: .08em; margin-bottom: 1rem; padding: .75rem; text-align: center;
}

button, .button {
  background: var(--card); border: 1px solid var(--field); border-radius: .625rem; color: var(--text);
  cursor: pointer; display: inline-block;
  font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1.25rem; text-align: center;
  text-decoration: none;
}
button:hover, .button:hover { border-color: var(--brand); }
.first { background: var(--brand); border-color: var(--brand); color: var(--on-brand); width: 100%; }
.first:hover { filter: brightness(1.08); }
.plain { margin-top: .625rem; width: 100%; }

.others { padding: 1.25rem; }
.others h2 { font-size: 1.0625rem; }
.others > p, .others form p { color: var(--quiet); font-size: .875rem; }
.others form {
  align-items: end; border-top: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .5rem .75rem;
  margin-top: .875rem; padding-top: .875rem;
}
.others form p { flex: 1 0 100%; }
.others button { flex: 1 1 12rem; text-align: start; }
label { color: var(--quiet); display: block; font-size: .875rem; margin-bottom: .125rem; }
input {
  background: var(--card); border: 1px solid var(--field); border-radius: .625rem; color: inherit; font: inherit;
  min-height: 2.75rem; padding: .5rem; width: 6rem;
}
input[aria-invalid] { border: 2px solid var(--wrong); }
.others form .wrong { color: var(--wrong); font-weight: 600; }
.state { padding: 2rem 1.25rem; text-align: center; }
.state h2 { font-size: 1.5rem; }
.state p { color: var(--quiet); margin: .5rem 0 1.25rem; }
.state .wrong { color: var(--wrong); font-weight: 600; }
`.trimStart(),
)
