import { type ErrorCode, WireError } from "@latchkey/contracts";
import type { Deps, Handler } from "../deps.ts";
import { type TokenAnswer, toleratedSeconds } from "../providers/provider.ts";
import { useUnstored } from "../secrets/secrets.ts";
import { signInWithIdToken } from "./begin-flow.ts";
import { findProviderClient } from "./find-provider-client.ts";

const ageMaxSeconds = 60;

/**
 * Refuses a token that is not new, or that was used before: the SDK sends no nonce, so nothing else ties the token to this request. The
 * signature is no part of the name of a token, because it can be written in several ways.
 */
const refuseOld = async (
  deps: Deps,
  token: string,
  claims: TokenAnswer["claims"],
): Promise<void> => {
  const issuedAt = Number(claims?.["iat"] ?? 0) * 1000;
  const expiresAt = issuedAt + (ageMaxSeconds + toleratedSeconds) * 1000;
  const now = deps.clock();
  const isNew = now < expiresAt && now >= issuedAt - toleratedSeconds * 1000;
  const name = token.slice(0, token.lastIndexOf("."));
  const use = { name: "oneTapToken", token: name, expiresAt: new Date(expiresAt) } as const;
  if (!isNew || !(await useUnstored(deps, deps.db, use))) throw new WireError("INVALID_ID_TOKEN");
};

/** The errors that the SDK expects of One Tap, in place of those of a sign-in by an id token. */
const errorsOfOneTap: Partial<Record<ErrorCode, ErrorCode>> = {
  INVALID_TOKEN: "INVALID_ID_TOKEN",
  FAILED_TO_GET_USER_INFO: "INVALID_ID_TOKEN",
  USER_EMAIL_NOT_FOUND: "EMAIL_NOT_AVAILABLE_IN_TOKEN",
};

/** Signs a user in by an id token of Google One Tap, by the rules of the provider `google`. Each token works once. */
export const signInOneTap: Handler<"signInOneTap"> = async (deps, { body, caller }) => {
  const { idToken: token, nonce, callbackURL } = body;
  const client = await findProviderClient(deps, "google", caller);
  const { outcome } = await signInWithIdToken(deps, {
    client,
    idToken: { token, nonce },
    caller,
    callbackURL,
    examine: (claims) => refuseOld(deps, token, claims),
  }).catch((error: unknown) => {
    const code = error instanceof WireError ? errorsOfOneTap[error.code] : undefined;
    throw code ? new WireError(code, { cause: error }) : error;
  });
  const { effect } = outcome;
  if (outcome.kind === "challenge") return { reply: outcome.challenge, effect };
  const { token: sessionToken, user } = outcome.session;
  return { reply: { token: sessionToken, user }, effect };
};
