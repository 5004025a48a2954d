import { brands, isBrand } from '@tollgate/contract'
import { type MethodGroup, methodGroupOf, methodGroups, type MethodOperation, methodRefusal } from '@tollgate/domain'
import { isRedirected } from '../accounts/redirected.ts'

/** The names of the method groups on the page. */
const groupNames: Readonly<Record<MethodGroup, string>> = {
  card: 'Cards, wallets and tokens of a card, cards at a terminal',
  encryptedCard: 'Cards that a terminal encrypted for the acquirer (`pos.encryptedSred.*`)',
  bankAccount: 'Bank accounts (`bankAccount.*`)',
  virtualAccount: 'Virtual accounts (`virtualAccount.accountId`)',
  giftCard: 'Gift cards',
  redirectAccount: 'Redirect: accounts with a provider that can be charged repeatedly',
  redirectWallet: 'Redirect: other wallets and accounts',
  redirectCredit: 'Redirect: invoices and instalments',
  redirectTransfer: 'Redirect: online transfers',
  redirectPrepayment: 'Redirect: prepayment',
  redirectVoucher: 'Redirect: vouchers and cash',
}

const columns: readonly (readonly [operation: MethodOperation, title: string])[] = [
  ['preauthorise', 'PA'],
  ['debit', 'DB'],
  ['credit', 'CD'],
  ['capture', 'CP'],
  ['increase', 'PA of a PA'],
  ['reverseHold', 'RV of a PA'],
  ['reverseCharge', 'RV of a DB, CP, RB'],
  ['refund', 'RF'],
  ['rebill', 'RB'],
  ['register', 'RG'],
  ['registerWithPayment', '`createRegistration`'],
]

/** The redirect brands of a group, in Markdown. The groups of other brands follow from the kind of the brand. */
function redirectBrands(group: MethodGroup): string {
  const codes = Object.keys(brands)
    .filter(isBrand)
    .filter((brand) => isRedirected({ brand }) && methodGroupOf({ brand, redirected: true }) === group)
  return codes.map((brand) => `\`${brand}\``).join(', ')
}

/** The reference page of the operations of payment methods in Markdown, generated from the table of the rules. */
export function describeMethodOperations(): string {
  const cells = (group: MethodGroup) =>
    columns.map(([operation]) => (methodRefusal(group, operation)?.code ?? 'yes').padEnd(3)).join(' | ')
  const reasons = columns.flatMap(([operation, title]) =>
    methodGroups.flatMap((group) => {
      const refusal = methodRefusal(group, operation)
      return refusal ? [`| ${title} | ${refusal.code} | ${refusal.reason} |`] : []
    }),
  )
  return [
    '# Payment methods and operations',
    '',
    'The operations of each payment method, for every connector. An operation with a result code instead of `yes`',
    'is refused with this code before a request is sent; `resultDetails.ExtendedDescription` has the reason.',
    'CB, CR and RC record events at banks and exist for every method. This page is generated from the table that',
    'the gateway enforces.',
    '',
    `| method | ${columns.map(([, title]) => title).join(' | ')} |`,
    `|---|${columns.map(() => '---').join('|')}|`,
    ...methodGroups.map((group) => `| ${groupNames[group]} | ${cells(group)} |`),
    '',
    '## Reasons',
    '',
    '| operation | code | reason |',
    '|---|---|---|',
    ...new Set(reasons),
    '',
    '## Redirect brands',
    '',
    '| method | `paymentBrand` |',
    '|---|---|',
    ...methodGroups
      .filter((group) => redirectBrands(group) !== '')
      .map((group) => `| ${groupNames[group]} | ${redirectBrands(group)} |`),
    '',
  ].join('\n')
}
