/** What a command will not do; the message says why, and what to do instead. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}
