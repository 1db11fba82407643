import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { listKeyEntries } from "./list-key-entries.ts";
import { isTakingOver } from "./signing-key-rules.ts";

type AdminRotateSigningKeys = typeof operations.identity.adminRotateSigningKeys;

/**
 * Has a new key sign, once verifiers had time to learn of it. While one is about to, that one is given: only so many keys are
 * published, and whoever rotates often would end what good ones have signed.
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
