import {
  isExempt,
  type KeySecondFactor,
  keySessionPermission,
  type Permissions,
} from "@latchkey/contracts";
import {
  isFactorPasskey,
  methodsOf,
  requireStrongSession,
  type ResolvedSession,
} from "@latchkey/service-kit/http";
import type { Deps } from "../deps.ts";
import type { OwnerColumns } from "../db/key-row.ts";

const [sessionResource, sessionAction] = ["session", keySessionPermission.session[0]] as const;

/** Returns whether a key stands for a session of its owner when a program sends it to the gateway. */
export const opensSessions = (
  { apiKey }: Pick<Deps["config"], "apiKey">,
  { userId, permissions }: Pick<OwnerColumns, "userId"> & { permissions: Permissions | null },
): boolean =>
  apiKey.enabled &&
  apiKey.enableSessionForAPIKeys &&
  userId !== null &&
  (permissions === null || (permissions[sessionResource]?.includes(sessionAction) ?? false));

/**
 * Throws `SESSION_IS_NOT_FRESH` unless the session that creates such a key is strong. The holder of an old session could otherwise make
 * itself a session that needs no second factor and does not end with the others.
 */
export const requireStrongCreator = (
  { clock, config }: Pick<Deps, "clock" | "config">,
  session: ResolvedSession,
): void =>
  requireStrongSession(session, {
    now: clock(),
    freshAgeSeconds: config.freshAgeSeconds,
  });

/** Returns the second factor that the creator of a key has shown in the session. */
export const secondFactorOf = (
  { config }: Pick<Deps, "config">,
  { authentication }: ResolvedSession,
): Exclude<KeySecondFactor, null> => {
  if (authentication?.secondFactorAt) return isFactorPasskey(authentication) ? "lasting" : "code";
  const methods = methodsOf(authentication);
  return methods.some((method) => isExempt(config.twoFactor, method)) ? "exempt" : "none";
};

/** The same for an admin who creates a key of somebody else: the owner cannot turn the admin's second factor off. */
export const adminSecondFactorOf = (
  deps: Pick<Deps, "config">,
  session: ResolvedSession,
): Exclude<KeySecondFactor, null> => {
  const factor = secondFactorOf(deps, session);
  return factor === "code" ? "lasting" : factor;
};
