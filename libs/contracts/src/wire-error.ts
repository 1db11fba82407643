import type { SdkVersion } from "./caller.ts";
import {
  type ErrorCode,
  errorCatalogue,
  newSdkCode,
  oauthErrorOf,
  showsCode,
  wireCode,
} from "./error-catalogue.ts";
import type { SessionEffect } from "./session-effect.ts";

/** A field that failed its schema: path and reason, never the value. */
export interface ValidationIssue {
  path: string;
  message: string;
}

export interface WireErrorDetail {
  /** Overrides the catalogue's status if one text serves several. */
  status?: number;
  /** Overrides the catalogue's text. The wire code remains that of the catalogue, unless the code contains a name from the text. */
  message?: string;
  retryAfterSeconds?: number;
  cause?: unknown;
  issues?: readonly ValidationIssue[];
  /** Details that the client needs in order to continue. */
  details?: ErrorDetails;
  /** The permissions that the caller lacks, as `resource:action`. */
  missingPermissions?: readonly string[];
  /** A hint for the client's developer. It must not reveal anything that the client did not send. */
  hint?: string;
  /** Cookies that the error response sets. */
  effect?: SessionEffect | undefined;
}

/** Milliseconds until the API key can be used again, or the proof that a session lacks. */
export type ErrorDetails = { tryAgainIn: number } | { requires: "sign-in" | "second-factor" };

/** The JSON body of every error that has one. */
export interface ErrorBody {
  code?: string;
  message: string;
  issues?: readonly ValidationIssue[];
  details?: ErrorDetails;
  missingPermissions?: readonly string[];
  hint?: string;
  /** Its name in a standard of OAuth, for clients of that standard. */
  error?: string;
  error_description?: string;
}

/** The mark of every `WireError`, whichever copy of this module created it. */
const mark = Symbol.for("latchkey.WireError");

/** An error of the catalogue as a response. Any code of an operation may throw it. One place converts it to HTTP. */
export class WireError extends Error {
  /** The bundle of a service contains a copy of this class. A configuration throws errors of another copy. */
  static override [Symbol.hasInstance](value: unknown): value is WireError {
    return typeof value === "object" && value !== null && mark in value;
  }

  readonly [mark] = true;
  override readonly name = "WireError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly issues: readonly ValidationIssue[] | undefined;
  readonly details: ErrorDetails | undefined;
  readonly missingPermissions: readonly string[] | undefined;
  readonly hint: string | undefined;
  readonly effect: SessionEffect | undefined;

  constructor(code: ErrorCode, detail: WireErrorDetail = {}) {
    super(detail.message ?? errorCatalogue[code].message, { cause: detail.cause });
    this.code = code;
    this.status = detail.status ?? errorCatalogue[code].status;
    this.retryAfterSeconds = detail.retryAfterSeconds;
    this.issues = detail.issues;
    this.details = detail.details;
    this.missingPermissions = detail.missingPermissions;
    this.hint = detail.hint;
    this.effect = detail.effect;
  }

  /** Returns the response body, with the code that an SDK matches on. */
  body(version: SdkVersion = "1.2"): ErrorBody {
    const newCode = version === "1.7" ? newSdkCode(this.code) : undefined;
    if (newCode === undefined && !showsCode(this.code)) return { message: this.message };
    const code = newCode ?? wireCode(this.code, this.message);
    const body: ErrorBody = { code, message: this.message };
    if (this.issues) body.issues = this.issues;
    if (this.details) body.details = this.details;
    if (this.missingPermissions) body.missingPermissions = this.missingPermissions;
    if (this.hint) body.hint = this.hint;
    const error = oauthErrorOf(this.code);
    if (error !== undefined) Object.assign(body, { error, error_description: this.message });
    return body;
  }
}
