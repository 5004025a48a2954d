import { brands, isBrand } from '../brands.ts'
import { NO_VIOLATIONS, missing, type Rule, type Subject } from './rule.ts'

const fullName = ['customer.givenName', 'customer.surname'] as const

export const customerName: Rule = {
  sentence: 'givenName and surname are required whenever any other customer field is sent.',
  parameters: fullName,
  strictOnly: true,
  structures: ['customer'],
  check: (subject) => (hasOnlyEmailForRedirect(subject) ? NO_VIOLATIONS : missing(subject.form, fullName)),
}

/** Whether the only data of the customer are the e-mail address, for a redirect brand, whose provider needs no name. */
function hasOnlyEmailForRedirect({ form: { sent, values } }: Subject): boolean {
  const brand = values.get('paymentBrand') ?? ''
  if (!isBrand(brand) || brands[brand].flow === 'sync') return false
  return sent.every(({ structure, name }) => structure !== 'customer' || name === 'customer.email')
}

const documents = (['customer', 'shipping.customer'] as const).map((person) => ({
  type: `${person}.identificationDocType` as const,
  id: `${person}.identificationDocId` as const,
}))

export const identificationOfBrand: Rule = {
  sentence: 'customer.identificationDocType: mandatory for some payment types.',
  parameters: ['customer.identificationDocType', 'customer.identificationDocId'],
  // Older clients do not send the document: the page of the provider requests it.
  strictOnly: true,
  check({ form, operation }) {
    const brand = form.values.get('paymentBrand')
    if (brand === undefined || operation.account !== 'new' || !isBrand(brand) || !brands[brand].identification)
      return NO_VIOLATIONS
    return missing(form, ['customer.identificationDocType', 'customer.identificationDocId'])
  },
}

export const identificationDocument: Rule = {
  sentence: 'identificationDocType requires identificationDocId; identificationDocId requires identificationDocType.',
  parameters: documents.flatMap(({ type, id }) => [type, id]),
  structures: ['customer', 'shipping'],
  check: ({ form }) =>
    documents.flatMap(({ type, id }) =>
      form.values.has(type) === form.values.has(id) ? NO_VIOLATIONS : missing(form, [type, id]),
    ),
}
