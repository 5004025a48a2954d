export interface ShopOptions { readonly a: 1 }
/** x */
export async function startShop(): Promise<void> {}
