import { isObject } from "../is-object.ts";
import { unavailable } from "./unavailable.ts";
import type { Verification, VerifiedKey } from "./verification.ts";

/** The response of the service. */
export interface Verdict {
  valid: boolean;
  error: { message: string; code: string; details?: { tryAgainIn: number } | undefined } | null;
  key: VerifiedKey | null;
}

type PlainReason = Exclude<
  Extract<Verification, { ok: false }>["reason"],
  "rate-limited" | "throttled" | "unavailable"
>;

/** Two reasons share a code and differ in their text. Returns undefined for an unknown code. */
const reasonOf = ({ code, message }: NonNullable<Verdict["error"]>): PlainReason | undefined => {
  switch (code) {
    case "KEY_NOT_FOUND":
      return message === "Invalid API key." ? "malformed" : "forbidden";
    case "INVALID_API_KEY":
      return "unknown";
    case "KEY_DISABLED":
      return "disabled";
    case "KEY_EXPIRED":
      return "expired";
    case "USER_IS_BANNED":
      return "banned";
    case "USAGE_EXCEEDED":
      return "exhausted";
    default:
      return undefined;
  }
};

/** Used if a limit does not name its duration. */
const someMilliseconds = 1_000;

const isKey = (value: unknown): value is VerifiedKey =>
  isObject(value) &&
  typeof value["id"] === "string" &&
  // A key has one owner: a user or an organization.
  (typeof value["userId"] === "string") !== (typeof value["organizationId"] === "string");

const isError = (value: unknown): value is NonNullable<Verdict["error"]> =>
  isObject(value) && typeof value["code"] === "string";

const isDuration = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0;

/** Reads a verdict. Returns undefined for anything else. A key is valid only if every member of the verdict agrees. */
export const readVerdict = (value: unknown): Verification | undefined => {
  if (!isObject(value)) return undefined;
  const { valid, error, key } = value;
  if (valid === true) return error === null && isKey(key) ? { ok: true, key } : undefined;
  if (valid !== false || !isError(error)) return undefined;
  if (error.code !== "RATE_LIMITED") {
    const reason = reasonOf(error);
    return reason
      ? { ok: false, reason }
      : unavailable("The apikey service gives an unknown reason");
  }
  const { tryAgainIn } = error.details ?? {};
  const retryAfterMilliseconds = isDuration(tryAgainIn) ? tryAgainIn : someMilliseconds;
  return { ok: false, reason: "rate-limited", retryAfterMilliseconds };
};
