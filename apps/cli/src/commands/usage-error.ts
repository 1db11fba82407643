/** Invalid command-line arguments. The message repeats no value, because one may be a misplaced secret. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
