/** Why a call to somebody else's server came to nothing. */
export type OutboundFailure = "deadline" | "too large" | "not allowed" | "no connection";

/**
 * A call to a server that is not ours gave no answer. `no connection` is also one that broke, or on which something came that cannot
 * be read. Written to logs: it names the origin or the host, and never holds a driver's error, which may quote what was sent or came.
 */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly reason: OutboundFailure;

  constructor(reason: OutboundFailure, where: string, detail?: string) {
    super(`${where}: ${reason}${detail ? ` (${detail})` : ""}`);
    this.reason = reason;
  }
}
