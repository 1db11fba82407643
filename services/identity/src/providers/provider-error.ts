/** The allowed form of a provider's error code in logs. */
const errorForm = /^[\w.:/-]{1,64}$/;

/**
 * A provider did not fulfil a request. Keeps only the error code of its response, because the rest may echo secrets that
 * were sent.
 */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  /** The error code, such as `invalid_grant`. Undefined if the provider named none. */
  readonly error: string | undefined;
  /** True if a retry would fail as well. */
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

/** Wraps an error, keeping the provider's own error code if there is one. */
export const asProviderError = (
  what: string,
  cause: unknown,
  { error }: { error?: unknown },
): ProviderError =>
  cause instanceof ProviderError ? cause : new ProviderError(what, { error, cause });
