import { hashToken } from "@latchkey/crypto";
import type { ResolvedSession } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { type Proof, proofColumns } from "./authentication.ts";

/**
 * Records in a session that its user has authenticated again. A second factor that was passed before is kept. Returns false if the
 * session has ended.
 */
export const recordProof = (
  deps: Pick<Deps, "clock" | "sessions">,
  { session: { token, userId }, authentication }: ResolvedSession,
  { methods, secondFactorAt = authentication?.secondFactorAt ?? undefined }: Proof,
): Promise<boolean> => {
  const earlier = (authentication?.methods.split(",") ?? []).filter((name) => name !== "");
  const proof = { methods: [...earlier, ...methods] as Proof["methods"], secondFactorAt };
  return deps.sessions.changeAuthentication(
    { tokenHash: hashToken(token), userId },
    proofColumns(proof, new Date(deps.clock())),
  );
};
