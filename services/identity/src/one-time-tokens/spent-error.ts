/** Rolls back a transaction, because the link or code that it uses up was used or deleted meanwhile. Never leaves the operation. */
export class SpentError extends Error {}
