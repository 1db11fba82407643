/** The reason why a call to an external server failed. */
export type OutboundFailure = "deadline" | "too large" | "not allowed" | "no connection";

/**
 * A call to an external server failed. `no connection` includes a broken connection and an unreadable reply. The message is
 * safe to log: it names the origin or the host, and never contains a driver's error, which may quote the request or the reply.
 */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly reason: OutboundFailure;

  constructor(reason: OutboundFailure, where: string, detail?: string) {
    super(`${where}: ${reason}${detail ? ` (${detail})` : ""}`);
    this.reason = reason;
  }
}
