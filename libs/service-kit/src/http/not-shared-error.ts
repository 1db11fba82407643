/** Leaves a request out of the answers of a shared call, because it must do more than read. The gateway forwards it alone. */
export class NotSharedError extends Error {
  override readonly name = "NotSharedError";
}
