/** A call that failed. It says nothing about the session unless `status` is 401. */
export class LatchkeyError extends Error {
  override readonly name = "LatchkeyError";
  /** The HTTP status. 0 if there was no answer: the network failed, or Latchkey does not trust the origin of the page. */
  readonly status: number;
  /** The error code of Latchkey, such as `INVALID_ORIGIN`, if it sent one. */
  readonly code: string | undefined;

  constructor(
    message: string,
    { status, code, cause }: { status: number; code?: string | undefined; cause?: unknown },
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
  }
}
