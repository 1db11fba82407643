import {
  type ErrorCode,
  keySessionPermission,
  type OperationReply,
  type operations,
  type ServiceName,
  WireError,
} from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { storedKey } from "../keys/stored-key.ts";
import { mayBeKey } from "./may-be-key.ts";
import type { UseVerdict } from "./use-key.ts";

type OpenKeySession = typeof operations.apikey.openKeySession;

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
export const openKeySession = async (
  deps: Pick<Deps, "config" | "countUse" | "usage" | "useKey">,
  { caller, body: { key, ...request } }: Call<OpenKeySession>,
): Promise<Answer<OperationReply<OpenKeySession>>> => {
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
  const { id, userId, expiresAt } = verdict.row;
  if (userId === null) throw new WireError("INVALID_REFERENCE_ID_FROM_API_KEY");
  return { reply: { id, userId, expiresAt: expiresAt?.toISOString() ?? null } };
};
