/** A message handler throws this when a retry cannot help, such as for a payload that fails its schema. */
export class UnretryableError extends Error {
  override name = "UnretryableError";
}
