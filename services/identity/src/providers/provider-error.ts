/** What a provider's own word for an error may be, for it to be logged. */
const errorForm = /^[\w.:/-]{1,64}$/;

/**
 * A provider did not do what it was asked. Of its answer nothing but its word for the error is kept: the rest may hold
 * what it was sent.
 */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  /** Such as `invalid_grant`; undefined where it named none. */
  readonly error: string | undefined;
  /** Asked again, it would not do it either. */
  readonly isFinal: boolean;

  constructor(
    message: string,
    { error, cause, isFinal = false }: { error?: unknown; cause?: unknown; isFinal?: boolean } = {},
  ) {
    super(message, { cause });
    this.isFinal = isFinal;
    this.error = typeof error === "string" && errorForm.test(error) ? error : undefined;
  }
}
