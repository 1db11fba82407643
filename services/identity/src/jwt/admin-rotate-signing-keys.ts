import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { listKeyEntries } from "./list-key-entries.ts";
import { isTakingOver } from "./signing-key-rules.ts";

type AdminRotateSigningKeys = typeof operations.identity.adminRotateSigningKeys;

/**
 * Creates a key that signs once verifiers had time to fetch it. Returns a pending new key if there is one. The number of
 * published keys is limited, so frequent rotations would unpublish keys whose tokens are still valid.
 */
export const adminRotateSigningKeys = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "ring" | "signingKeys">,
  { caller, session }: Call<AdminRotateSigningKeys>,
): Promise<Answer<OperationReply<AdminRotateSigningKeys>>> => {
  if (!deps.config.jwt.enabled) throw new WireError("SIGNED_TOKENS_ARE_NOT_ENABLED");
  const id = await deps.signingKeys.rotate({
    actor: sessionActor(session),
    caller,
    isNeeded: (keys) => !isTakingOver(keys, deps.clock()),
  });
  const keys = await listKeyEntries(deps);
  const key = keys.find((entry) => entry.id === id);
  if (!key) throw new Error("a signing key that was made is not published");
  return { reply: { key } };
};
