import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";

/** An API key of the user. */
export type APIKey = CallReply<typeof operations.apikey.getApiKey>;

type KeyState = "active" | "disabled" | "expired";

/** Returns whether a key works, or why it does not. */
export const keyState = ({ enabled, expiresAt }: APIKey, now: Date): KeyState => {
  if (expiresAt !== null && new Date(expiresAt) <= now) return "expired";
  return enabled ? "active" : "disabled";
};
