/** Thrown by a message handler when trying again cannot help, such as for a payload that fails its schema. */
export class UnretryableError extends Error {
  override name = "UnretryableError";
}
