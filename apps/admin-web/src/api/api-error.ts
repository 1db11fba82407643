import type { ErrorBody } from "@latchkey/contracts";

export interface ApiErrorDetail {
  status: number;
  body?: Partial<ErrorBody> | undefined;
  retryAfterSeconds?: number | undefined;
  requestId?: string | undefined;
  cause?: unknown;
}

/** An operation was refused, its answer did not come (status 0), or somebody else gave one (a status of success). */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** Of the wire: what the message derives to, also where the answer leaves it out. */
  readonly code: string | undefined;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  /** Names the request in the logs of the installation. */
  readonly requestId: string | undefined;
  readonly issues: readonly { path: string; message: string }[];

  constructor({ status, body = {}, retryAfterSeconds, requestId, cause }: ApiErrorDetail) {
    super(body.message ?? defaultMessage(status), { cause });
    this.code = body.code ?? body.message?.toUpperCase().replaceAll(" ", "_");
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.requestId = requestId;
    this.issues = body.issues ?? [];
  }

  /** The answer may come yet: nobody was there, or somebody had too much to do. */
  get isPassing(): boolean {
    return this.status === 0 || [429, 502, 503, 504].includes(this.status);
  }
}

const defaultMessage = (status: number): string => {
  if (status === 0) return "Latchkey did not answer";
  if (status < 300) return "Something else than Latchkey answered";
  if (status >= 500) return "Latchkey failed to do this";
  return "Latchkey refused this";
};
