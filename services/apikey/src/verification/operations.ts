import {
  type ApiKeyRequest,
  errorCatalogue,
  type ErrorCode,
  keySessionPermission,
  type OperationReply,
  type operations,
  type Options,
  type ServiceName,
  WireError,
} from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import type { Deps, Handler } from "../deps.ts";
import { isKeyText, storedKey } from "../keys/key-text.ts";
import { showKey } from "../keys/show-key.ts";
import type { UseVerdict } from "./use-key.ts";

/** Returns whether a text can be a key, before any lookup: its length is in range, and the application's validator accepts it. */
export const mayBeKey = async (
  { defaultKeyLength, customAPIKeyValidator }: Options["apiKey"],
  key: string,
  request: ApiKeyRequest,
): Promise<boolean> => {
  if (!isKeyText({ defaultKeyLength }, key)) return false;
  return customAPIKeyValidator ? customAPIKeyValidator({ ctx: request, key }) : true;
};

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
  const keyUse = {
    key: stored,
    permissions: permissions === undefined ? null : JSON.stringify(permissions),
    passesUnrestricted: false,
  };
  const verdict = await deps.useKey(keyUse).catch((error: unknown) => {
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
export const verifyKey: Handler<"verifyApiKey"> = async (deps, call) => ({
  reply: await judge(deps, call),
});

/** No service token can have this name. */
const gateway: ServiceName = "gateway";
const permissions = JSON.stringify(keySessionPermission);

const errors = {
  unknown: "INVALID_API_KEY",
  disabled: "KEY_DISABLED",
  expired: "KEY_EXPIRED",
  banned: "USER_BANNED",
  forbidden: "FORBIDDEN",
  exhausted: "USAGE_EXCEEDED",
  unsettled: "INTERNAL_SERVER_ERROR",
} as const satisfies Record<string, ErrorCode>;

const errorOf = (verdict: Exclude<UseVerdict, { outcome: "valid" }>): WireError => {
  if (verdict.outcome !== "rateLimited") return new WireError(errors[verdict.outcome]);
  const { tryAgainIn } = verdict;
  const retryAfterSeconds = Math.ceil(tryAgainIn / 1000);
  return new WireError("RATE_LIMITED", { details: { tryAgainIn }, retryAfterSeconds });
};

/**
 * Uses a key in place of a session. If the key has permissions, they must include `keySessionPermission`. Otherwise a restricted key would
 * allow everything that its owner may do. A key of an organization is refused without a use. Throws the error that the gateway returns to
 * the client.
 */
export const openKeySession: Handler<"openKeySession"> = async (
  deps,
  { caller, body: { key, ...request } },
) => {
  // The gateway limits its clients by address. A service could guess keys here without any limit.
  if (caller.service !== gateway) throw new WireError("FORBIDDEN");
  const { apiKey } = deps.config;
  if (!(await mayBeKey(apiKey, key, request))) {
    deps.countUse("malformed");
    throw new WireError("INVALID_API_KEY", { status: 403 });
  }
  const verdict = await deps.useKey({
    key: storedKey(apiKey, key),
    permissions,
    passesUnrestricted: true,
  });
  deps.countUse(verdict.outcome);
  if ("row" in verdict) deps.usage.note(verdict.row, verdict.outcome);
  if ("row" in verdict && verdict.outcome === "forbidden" && verdict.row.organizationId !== null)
    throw new WireError("INVALID_REFERENCE_ID_FROM_API_KEY");
  if (verdict.outcome !== "valid") throw errorOf(verdict);
  const { id, userId, expiresAt, secondFactor } = verdict.row;
  if (userId === null) throw new WireError("INVALID_REFERENCE_ID_FROM_API_KEY");
  return { reply: { id, userId, expiresAt: expiresAt?.toISOString() ?? null, secondFactor } };
};
