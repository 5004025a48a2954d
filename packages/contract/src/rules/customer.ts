import { brands, isBrand } from '../brands.ts'
import { FINE, missing, type Rule, type Subject } from './rule.ts'

const fullName = ['customer.givenName', 'customer.surname']

export const customerName: Rule = {
  name: 'customer-name',
  sentence: 'givenName and surname are required whenever any other customer field is sent.',
  blames: fullName,
  legacy: false,
  structures: ['customer'],
  find: (subject) => (isEmailOfRedirect(subject) ? FINE : missing(subject.form, fullName)),
}

/** A provider to whose page the shopper is redirected takes `customer.email` by itself: it knows the name. */
function isEmailOfRedirect({ form: { sent, values } }: Subject): boolean {
  const brand = values.get('paymentBrand') ?? ''
  if (!isBrand(brand) || brands[brand].flow === 'sync') return false
  return sent.every(({ structure, name }) => structure !== 'customer' || name === 'customer.email')
}

const documents = ['customer.', 'shipping.customer.'].map((prefix) => ({
  type: `${prefix}identificationDocType`,
  id: `${prefix}identificationDocId`,
}))

export const identificationDocument: Rule = {
  name: 'identification-document',
  sentence: 'identificationDocType requires identificationDocId; identificationDocId requires identificationDocType.',
  blames: documents.flatMap(({ type, id }) => [type, id]),
  legacy: true,
  structures: ['customer', 'shipping'],
  find: ({ form }) =>
    documents.flatMap(({ type, id }) =>
      form.values.has(type) === form.values.has(id) ? FINE : missing(form, [type, id]),
    ),
}
