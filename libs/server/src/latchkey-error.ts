/** The reason for which Latchkey gave no answer. */
export type LatchkeyErrorCode =
  /** No complete answer within `timeoutMilliseconds`. */
  | "timeout"
  /** The connection failed twice. */
  | "unreachable"
  /** 503, and Latchkey asks for a later try than the timeout allows. */
  | "unavailable"
  /** 429, because this server has called too often. */
  | "rate-limited"
  /** Any other status, or a body that is not an answer of Latchkey. The URL is probably wrong. */
  | "unexpected-response";

interface Details {
  status?: number | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/**
 * Latchkey gave no answer, so it is unknown who sent a request. Respond with 503, not with 401. Its message contains no cookie or
 * token.
 */
export class LatchkeyError extends Error {
  override readonly name = "LatchkeyError";
  readonly code: LatchkeyErrorCode;
  /** The HTTP status, if there was one. */
  readonly status: number | undefined;
  /** The seconds after which Latchkey expects the next try, if it named them. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: LatchkeyErrorCode,
    message: string,
    { status, retryAfterSeconds, cause }: Details = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
