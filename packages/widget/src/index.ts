// The payment form in a merchant's page: a small loader there, and frames from our origin for what the page must not
// see.
export {}
