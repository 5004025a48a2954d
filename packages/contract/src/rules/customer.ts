import { brands, isBrand } from '../brands.ts'
import { FINE, missing, type Rule, type Subject } from './rule.ts'

const fullName = ['customer.givenName', 'customer.surname'] as const

export const customerName: Rule = {
  sentence: 'givenName and surname are required whenever any other customer field is sent.',
  blames: fullName,
  strictOnly: true,
  structures: ['customer'],
  find: (subject) => (isEmailOfRedirect(subject) ? FINE : missing(subject.form, fullName)),
}

/** The provider of a redirect brand accepts `customer.email` without a name. */
function isEmailOfRedirect({ form: { sent, values } }: Subject): boolean {
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
  blames: ['customer.identificationDocType', 'customer.identificationDocId'],
  // Older clients leave it to the page of the provider.
  strictOnly: true,
  find({ form, operation }) {
    const brand = form.values.get('paymentBrand')
    if (brand === undefined || operation.account !== 'new' || !isBrand(brand) || !brands[brand].identification)
      return FINE
    return missing(form, ['customer.identificationDocType', 'customer.identificationDocId'])
  },
}

export const identificationDocument: Rule = {
  sentence: 'identificationDocType requires identificationDocId; identificationDocId requires identificationDocType.',
  blames: documents.flatMap(({ type, id }) => [type, id]),
  structures: ['customer', 'shipping'],
  find: ({ form }) =>
    documents.flatMap(({ type, id }) =>
      form.values.has(type) === form.values.has(id) ? FINE : missing(form, [type, id]),
    ),
}
