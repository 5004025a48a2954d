/** The style sheet of the shop, with a light and a dark scheme, for widths from 320 pixels. */
export const shopStyle = `
/* The widget's rules take precedence over the shop's general rules, such as those of buttons. Rules outside of layers
   take precedence over both. */
@layer shop, wpwl;
@layer shop {
:root {
  color-scheme: light dark;
  --page: #faf7f1; --card: #fff; --shelf: #f0eadd; --text: #23291f; --quiet: #5b6456; --line: #ded6c6; --field: #8b8570;
  --brand: #2f5d46; --on-brand: #fff; --tint: #e2efe2; --warn: #fff1d0; --on-warn: #6a4700; --wrong: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #151a16; --card: #1e2520; --shelf: #4d594f; --text: #ecefe6; --quiet: #aeb9a9; --line: #384238;
    --field: #7e8a79;
    --brand: #a5d6b3; --on-brand: #0f2b1b; --tint: #26382c; --warn: #3b2f10; --on-warn: #ffdf95; --wrong: #ffb4ab;
  }
}
* { box-sizing: border-box; }
html { background: var(--page); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; }
body { display: flex; flex-direction: column; margin: 0; min-height: 100vh; overflow-wrap: break-word; }
h1, h2, p, ul, dl, dd { margin: 0; padding: 0; }
h1 { font: 600 1.75rem/1.2 Georgia, 'Noto Serif', serif; }
h2 { font-size: 1.0625rem; line-height: 1.3; }
ul { list-style: none; }
a { color: var(--brand); }
:focus-visible { outline: 3px solid var(--brand); outline-offset: 2px; }
.hidden { height: 1px; overflow: hidden; position: absolute; white-space: nowrap; width: 1px; }
.skip { background: var(--card); left: 0; padding: .5rem 1rem; position: absolute; top: -4rem; z-index: 1; }
.skip:focus { top: 0; }
.wide { margin: 0 auto; max-width: 66rem; padding-inline: 1rem; width: 100%; }

header { background: var(--card); border-bottom: 1px solid var(--line); }
header .wide, footer .wide {
  align-items: center; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; justify-content: space-between;
  padding-block: .75rem;
}
.logo {
  align-items: center; color: var(--text); display: flex; font: 600 1.25rem/1 Georgia, 'Noto Serif', serif;
  gap: .625rem; text-decoration: none;
}
nav { display: flex; flex-wrap: wrap; gap: 0 .25rem; }
nav a { border-radius: .5rem; color: var(--text); padding: .375rem .5rem; text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav a[aria-current] { background: var(--tint); color: var(--brand); font-weight: 600; }
main { flex: 1; padding-block: 1.5rem 3rem; }
footer { border-top: 1px solid var(--line); color: var(--quiet); font-size: .875rem; }

.card { background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: 1.25rem; }
.narrow { margin: 0 auto 1rem; max-width: 34rem; }
.narrow > * + * { margin-top: .875rem; }
.center { text-align: center; }
.center .row { justify-content: center; }
.hero { padding: 1rem 0 2rem; text-align: center; }
.hero h1 { font-size: 2.25rem; }
.hero p { color: var(--quiet); font-size: 1.125rem; margin-top: .5rem; }

.products { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); }
.product { display: flex; flex-direction: column; gap: .375rem; overflow: hidden; padding: 0 1.25rem 1.25rem; }
.shelf { background: var(--shelf); margin: 0 -1.25rem .75rem; padding: 1.25rem; text-align: center; }
.picture { height: 8rem; max-width: 100%; width: auto; }
.product p { color: var(--quiet); flex: 1; font-size: .9375rem; }
.product form {
  align-items: center; display: flex; flex-wrap: wrap; gap: .5rem; justify-content: space-between; margin-top: .5rem;
}
.product strong { font-size: 1.125rem; font-variant-numeric: tabular-nums; }

.columns {
  align-items: start; display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); margin-top: 1rem;
}
.lines li {
  align-items: center; border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .75rem;
  padding-bottom: 1rem; margin-bottom: 1rem;
}
.lines .picture { background: var(--shelf); border-radius: .625rem; height: 4rem; padding: .25rem; width: 5.25rem; }
.lines li > div { flex: 1 1 8rem; }
.lines p { color: var(--quiet); }
.lines form { display: flex; gap: .5rem; }
.lines input { width: 4.5rem; }
.total { align-items: baseline; display: flex; justify-content: space-between; }
.total strong, .sum { font-size: 1.625rem; font-variant-numeric: tabular-nums; font-weight: 700; }
.ways form {
  border-top: 1px solid var(--line); display: flex; flex-direction: column; gap: .625rem; margin-top: 1rem;
  padding-top: 1rem;
}
.ways p { color: var(--quiet); font-size: .9375rem; }
.ways p strong { color: var(--text); }
.row { display: flex; flex-wrap: wrap; gap: .5rem; }
.row select { flex: 1 1 9rem; min-width: 0; }

button, .button {
  background: var(--card); border: 1px solid var(--field); border-radius: .625rem; color: var(--text);
  cursor: pointer; display: inline-block;
  font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1.125rem; text-align: center;
  text-decoration: none;
}
button:hover, .button:hover { border-color: var(--brand); }
.first { background: var(--brand); border-color: var(--brand); color: var(--on-brand); }
.narrow > form > .first { width: 100%; }
.product button { background: var(--tint); border-color: var(--tint); color: var(--brand); }
.quiet { border-color: var(--line); }
input, select {
  background: var(--card); border: 1px solid var(--field); border-radius: .625rem; color: inherit; font: inherit;
  min-height: 2.75rem; padding: .5rem .625rem;
}
.check { align-items: center; display: flex; gap: .5rem; min-height: 1.75rem; }
.check input { accent-color: var(--brand); height: 1.25rem; min-height: 0; width: 1.25rem; }
.fields { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 8.5rem), 1fr)); }
.fields label, form p label { color: var(--quiet); display: block; font-size: .875rem; margin-bottom: .375rem; }
.fields input, form p select { width: 100%; }
/* The number and the name each have a row; the date and the code share a row. */
.fields p:nth-child(-n+2), .fields button { grid-column: 1 / -1; }

form > p:not(:last-child) { margin-bottom: .875rem; }
.ways form > p, form.fields > p { margin: 0; }

.pay, .pay + details { margin: 0 auto 1rem; max-width: 30rem; }
.pay > * + * { margin-top: .875rem; }
.pay h1 + p { margin-bottom: .875rem; }
.detail { color: var(--quiet); font-size: .875rem; }
.warning {
  background: var(--warn); border-radius: .625rem; color: var(--on-warn); font-size: .9375rem;
  padding: .625rem .875rem;
}
.chip {
  background: var(--tint); border-radius: .375rem; color: var(--brand); font-size: .8125rem; font-weight: 700;
  padding: .125rem .5rem;
}
.list li { align-items: center; border-top: 1px solid var(--line); display: flex; gap: .75rem; padding: .625rem 0; }
.list form { margin-inline-start: auto; }
.facts > div { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; padding: .25rem 0; }
.facts dt { color: var(--quiet); }
.facts dd { font-variant-numeric: tabular-nums; }
summary { cursor: pointer; font-weight: 600; }
.seal {
  align-items: center; background: var(--tint); border-radius: 50%; color: var(--brand); display: inline-flex;
  font-size: 2rem; height: 4rem; justify-content: center; width: 4rem;
}
.seal::before { content: '✓'; }
.seal.pending::before { content: '…'; }
.seal.cancelled::before { content: '↩'; }
.seal.declined { color: var(--wrong); }
.seal.declined::before { content: '✕'; }
}

/* The widget has the colours of the page, except for its fields in frames. */
.wpwl-container {
  --wpwl-accent: var(--brand); --wpwl-accent-strong: var(--brand); --wpwl-on-accent: var(--on-brand);
  --wpwl-surface: var(--card); --wpwl-text: var(--text); --wpwl-quiet: var(--quiet); --wpwl-edge: var(--line);
}
`
