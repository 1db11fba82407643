/** What becomes of some uses of a key; the first that applies, in this order. */
export type UseOutcome =
  | "disabled"
  | "expired"
  | "banned"
  | "forbidden"
  | "exhausted"
  | "rateLimited"
  | "valid";
