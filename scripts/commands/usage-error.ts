/** A command line that was not understood. Its message repeats no value: one may be a secret in the wrong place. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
