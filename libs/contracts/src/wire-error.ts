import { type ErrorCode, errorCatalogue, showsCode, wireCode } from "./error-catalogue.ts";

/** One field that failed its schema: where, and why. Never the value. */
export interface ValidationIssue {
  path: string;
  message: string;
}

export interface WireErrorDetail {
  /** Overrides the catalogue's status where one text serves several. */
  status?: number;
  /** Overrides the catalogue's text. The wire code stays that of the catalogue, unless it names what the text names. */
  message?: string;
  retryAfterSeconds?: number;
  cause?: unknown;
  issues?: readonly ValidationIssue[];
  /** What a client needs besides to go on. */
  details?: ErrorDetails;
}

/** Milliseconds after which an API key may be used again. */
export interface ErrorDetails {
  tryAgainIn: number;
}

/** The JSON envelope of every error that has a body. */
export interface ErrorBody {
  code?: string;
  message: string;
  issues?: readonly ValidationIssue[];
  details?: ErrorDetails;
}

/** An answer that is an error of the catalogue. Throw it anywhere below an operation; one place turns it into HTTP. */
export class WireError extends Error {
  override readonly name = "WireError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly issues: readonly ValidationIssue[] | undefined;
  readonly details: ErrorDetails | undefined;

  constructor(code: ErrorCode, detail: WireErrorDetail = {}) {
    super(detail.message ?? errorCatalogue[code].message, { cause: detail.cause });
    this.code = code;
    this.status = detail.status ?? errorCatalogue[code].status;
    this.retryAfterSeconds = detail.retryAfterSeconds;
    this.issues = detail.issues;
    this.details = detail.details;
  }

  /** What the client reads. */
  body(): ErrorBody {
    if (!showsCode(this.code)) return { message: this.message };
    const body: ErrorBody = { code: wireCode(this.code, this.message), message: this.message };
    if (this.issues) body.issues = this.issues;
    if (this.details) body.details = this.details;
    return body;
  }
}
