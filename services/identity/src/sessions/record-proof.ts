import { hashToken } from "@latchkey/crypto";
import type { ResolvedSession } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { extendedProof, type Proof, proofColumns } from "./authentication.ts";

/**
 * Records in a session that its user has authenticated again. A second factor that was passed before is kept. Returns false if the
 * session has ended.
 */
export const recordProof = (
  deps: Pick<Deps, "clock" | "sessions">,
  { session: { token, userId }, authentication }: ResolvedSession,
  proof: Proof,
): Promise<boolean> =>
  deps.sessions.changeAuthentication(
    { tokenHash: hashToken(token), userId },
    proofColumns(extendedProof(authentication, proof), new Date(deps.clock())),
  );
