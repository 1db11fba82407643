/** A failure in the browser, with a message for users and what to do about it. */
export class AdvisedError extends Error {
  override readonly name = "AdvisedError";
  readonly advice: string;

  constructor(message: string, { advice, cause }: { advice: string; cause?: unknown }) {
    super(message, { cause });
    this.advice = advice;
  }
}
