import {
  errorCatalogue,
  type ErrorCode,
  type OperationReply,
  type operations,
} from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { showKey } from "../keys/show-key.ts";
import { storedKey } from "../keys/stored-key.ts";
import { mayBeKey } from "./may-be-key.ts";
import type { UseVerdict } from "./use-key.ts";

type VerifyApiKey = typeof operations.apikey.verifyApiKey;
type Verdict = OperationReply<VerifyApiKey>;

const request = { method: "POST", path: "/api-key/verify" };

const refused = (code: string, error: ErrorCode, details?: { tryAgainIn: number }): Verdict => ({
  valid: false,
  error: { message: errorCatalogue[error].message, code, ...(details && { details }) },
  key: null,
});

const malformed = refused("KEY_NOT_FOUND", "INVALID_API_KEY");
const unknown = refused("INVALID_API_KEY", "INVALID_API_KEY");

/** The reply to the client for each refusal. */
const refusals: Record<Exclude<UseVerdict["outcome"], "valid" | "rateLimited">, Verdict> = {
  unknown,
  disabled: refused("KEY_DISABLED", "KEY_DISABLED"),
  expired: refused("KEY_EXPIRED", "KEY_EXPIRED"),
  banned: refused("USER_IS_BANNED", "USER_BANNED"),
  forbidden: refused("KEY_NOT_FOUND", "KEY_NOT_FOUND"),
  exhausted: refused("USAGE_EXCEEDED", "USAGE_EXCEEDED"),
  unsettled: refused("INTERNAL_SERVER_ERROR", "INTERNAL_SERVER_ERROR"),
};

const describe = (verdict: UseVerdict): Verdict => {
  const { outcome } = verdict;
  if (outcome === "valid") return { valid: true, error: null, key: showKey(verdict.row) };
  if (outcome === "rateLimited")
    return refused("RATE_LIMITED", "RATE_LIMITED", { tryAgainIn: verdict.tryAgainIn });
  return refusals[outcome];
};

const judge = async (
  deps: Pick<Deps, "config" | "countUse" | "guesses" | "usage" | "useKey">,
  { caller: { service = "" }, body: { key, permissions } }: Call<VerifyApiKey>,
): Promise<Verdict> => {
  const stored = storedKey(deps.config.apiKey, key);
  const settle = deps.guesses.admit(service, stored);
  if (!(await mayBeKey(deps.config.apiKey, key, request))) {
    deps.countUse("malformed");
    return malformed;
  }
  const asked = {
    key: stored,
    permissions: permissions === undefined ? null : JSON.stringify(permissions),
    passesUnrestricted: false,
  };
  const verdict = await deps.useKey(asked).catch((error: unknown) => {
    settle("known"); // the outcome is unknown, and an unavailable store must not count as a guess
    throw error;
  });
  deps.countUse(verdict.outcome);
  if ("row" in verdict) {
    settle(verdict.outcome === "valid" ? "good" : "known");
    deps.usage.note(verdict.row, verdict.outcome);
  }
  return describe(verdict);
};

/**
 * Uses a key once for the requested permissions and returns whether it is valid. Deletes a key that can never be used again. Throws
 * `TOO_MANY_REQUESTS` to a service that has sent too many unknown keys.
 */
export const verifyKey = async (
  deps: Pick<Deps, "config" | "countUse" | "guesses" | "usage" | "useKey">,
  call: Call<VerifyApiKey>,
): Promise<Answer<Verdict>> => ({ reply: await judge(deps, call) });
