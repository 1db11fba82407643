/** A request that a command refuses. The message says why, and what to do instead. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}
