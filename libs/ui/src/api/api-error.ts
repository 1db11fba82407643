import type { ErrorBody } from "@latchkey/contracts";

export interface ApiErrorDetail {
  status: number;
  body?: Partial<ErrorBody> | undefined;
  retryAfterSeconds?: number | undefined;
  requestId?: string | undefined;
  cause?: unknown;
}

/** An operation was refused, no reply arrived (status 0), or something other than Latchkey replied (a success status). */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The error code on the wire. Derived from the message if the reply has no code. */
  readonly code: string | undefined;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  /** Identifies the request in the installation's logs. */
  readonly requestId: string | undefined;
  readonly issues: readonly { path: string; message: string }[];
  /** The proof that the session lacks for this operation. */
  readonly requires: "sign-in" | "second-factor" | undefined;

  /** Whether the message is that of the server. */
  readonly isOfServer: boolean;

  constructor({ status, body = {}, retryAfterSeconds, requestId, cause }: ApiErrorDetail) {
    super(body.message ?? defaultMessage(status), { cause });
    this.code = body.code ?? body.message?.toUpperCase().replaceAll(" ", "_");
    this.isOfServer = body.message !== undefined;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.requestId = requestId;
    this.issues = body.issues ?? [];
    this.requires = body.details && "requires" in body.details ? body.details.requires : undefined;
  }

  /** Whether a retry may succeed: no reply arrived, or the server was overloaded. */
  get isPassing(): boolean {
    return this.status === 0 || [429, 502, 503, 504].includes(this.status);
  }
}

const defaultMessage = (status: number): string => {
  if (status === 0) return "Latchkey is not responding";
  if (status < 300) return "The reply did not come from Latchkey";
  if (status >= 500) return "The request failed";
  return "The request was refused";
};
