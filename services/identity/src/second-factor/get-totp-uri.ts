import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { appUri } from "./app-secret.ts";
import { checkFactorPassword, type CheckFactorPasswordNeeds } from "./check-factor-password.ts";
import { confirmedAppOf, preparedAppOf } from "./prepared-app.ts";
import { findTwoFactor } from "./queries.ts";

type GetTotpUri = typeof operations.identity.getTotpUri;

/** Returns the URI of the confirmed app, or of a prepared one. It is the same as at its preparation. */
export const getTotpUri = async (
  deps: CheckFactorPasswordNeeds & Pick<Deps, "ring">,
  { body, caller, session }: Call<GetTotpUri>,
): Promise<Answer<OperationReply<GetTotpUri>>> => {
  if (deps.config.twoFactor.totpOptions.disable) throw new WireError("TOTP_NOT_CONFIGURED");
  const row = await findTwoFactor(deps.db, session.user.id);
  const confirmed = confirmedAppOf(deps, row);
  const app = confirmed
    ? { secret: confirmed.secret, issuer: row?.issuer ?? null }
    : preparedAppOf(deps, row);
  if (!app) throw new WireError("TOTP_NOT_ENABLED");
  await checkFactorPassword(deps, { caller, session, password: body.password });
  return { reply: { totpURI: appUri(deps, session.user, app) } };
};
