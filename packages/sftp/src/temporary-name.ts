/** An id in a temporary name. */
const ID = /^[\w-]{1,64}$/
const TEMPORARY_NAME = /^\..+\.[\w-]{1,64}\.part$/

/** Whether a text can be the id of a delivery: 1 to 64 letters, digits, `_` and `-`. */
export const isDeliveryId = (id: string): boolean => ID.test(id)

/** The name under which a file is uploaded, beside its target: `.name.<id>.part`. */
export const temporaryName = (name: string, id: string): string => `.${name}.${id}.part`

/** Whether a name is that of a file whose upload has not ended. Readers of a folder must ignore such files. */
export const isTemporaryName = (name: string): boolean => TEMPORARY_NAME.test(name)
