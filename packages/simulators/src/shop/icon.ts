import { html } from '@tollgate/contract'
import { asset } from '../http/asset.ts'

/** A leaf on a kettle's green. */
export const shopIcon = asset(
  '/assets',
  'icon',
  'svg',
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#2f5d46"/>
<path d="M16 5c9 4 9 16 0 22-9-6-9-18 0-22z" fill="#cfe8c9"/>
<path d="M16 9v17" stroke="#2f5d46" stroke-width="2"/></svg>`.html,
)
