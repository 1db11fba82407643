/** The outcome of some uses of a key. The first that applies, in this order, counts. */
export type UseOutcome =
  | "disabled"
  | "expired"
  | "banned"
  | "forbidden"
  | "exhausted"
  | "rateLimited"
  | "valid";
