import type { Caller, OperationReply, operations } from "@latchkey/contracts";
import type { Answer } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findOwnSession } from "../sessions/find-own-session.ts";
import type { ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { challengeSeconds, createChallenge } from "./challenge.ts";
import { listPasskeyRows } from "./queries.ts";
import { requireRelyingParty } from "./relying-party.ts";
import { describeCredential } from "./show-passkey.ts";

type GenerateAuthenticateOptions = typeof operations.identity.generateAuthenticateOptions;
type Needs = Pick<Deps, "clock" | "config" | "db"> & ResolveSessionNeeds;

/** Returns the credentials of the signed-in user, or undefined without a session of their own. */
const ownCredentials = async (deps: Needs, caller: Caller) => {
  if (caller.apiKeyId !== undefined) return undefined;
  const found = await findOwnSession(deps, caller);
  if (!found) return undefined;
  const passkeys = await listPasskeyRows(deps.db, found.user.id);
  return passkeys.map(describeCredential);
};

/**
 * Starts a sign-in by passkey. Without a session it names no credential, so that any passkey may answer and nobody learns who has one. With
 * a session it names the user's own.
 */
export const generateAuthenticateOptions = async (
  deps: Needs,
  { caller }: { caller: Caller },
): Promise<Answer<OperationReply<GenerateAuthenticateOptions>>> => {
  const { id: rpId } = requireRelyingParty(deps);
  const { authentication, authenticatorSelection } = deps.config.passkey;
  const allowCredentials = await ownCredentials(deps, caller);
  const { challenge, keeps } = await createChallenge(deps, { caller, ceremony: "authentication" });
  const { extensions } = authentication;
  return {
    reply: {
      challenge,
      rpId,
      timeout: challengeSeconds * 1000,
      userVerification: authenticatorSelection.userVerification,
      ...(allowCredentials ? { allowCredentials } : {}),
      ...(Object.keys(extensions).length > 0 ? { extensions } : {}),
    },
    effect: { kind: "keep", keeps },
  };
};
