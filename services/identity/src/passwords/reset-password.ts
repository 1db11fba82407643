import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import {
  consumeToken,
  readToken,
  resetPasswordToken,
} from "../one-time-tokens/single-use-token.ts";
import { findInvitation } from "../user-invitations/queries.ts";
import { checkPasswordLength } from "./check-password-length.ts";
import { replacePassword, type ReplacePasswordNeeds } from "./replace-password.ts";

type ResetPassword = typeof operations.identity.resetPassword;
type Needs = ReplacePasswordNeeds & Pick<Deps, "passwords">;

/**
 * Sets a new password by the token of a mailed link. The token is used up with the write, and only one of several
 * concurrent uses succeeds. A user with an unverified address afterwards has no other sign-in method. For an invited user
 * the link also verifies the address.
 */
export const resetPassword = async (
  deps: Needs,
  { body, query, caller }: Call<ResetPassword>,
): Promise<Answer<OperationReply<ResetPassword>>> => {
  const options = deps.config.emailAndPassword;
  const token = body.token || query.token;
  if (!token) throw new WireError("INVALID_TOKEN");
  checkPasswordLength(body.newPassword, options);
  const userId = await readToken(deps, resetPasswordToken, token);
  if (userId === undefined) throw new WireError("INVALID_TOKEN");
  const now = new Date(deps.clock());
  const invitation = await findInvitation(deps.db, { userId, now });
  const isReplaced = await replacePassword(deps, {
    userId,
    passwordHash: await deps.passwords.hash(body.newPassword),
    ends: options.revokeSessionsOnPasswordReset ? "all" : "none",
    byMail: true,
    // The link was mailed to this address, and nobody could sign in before.
    ...(invitation && { proves: invitation.email }),
    action: invitation ? "user-invitation.accepted" : "password.reset",
    actor: { kind: "user", id: userId },
    caller,
    within: async (trx) => {
      const used = await consumeToken(deps, trx, {
        kind: resetPasswordToken,
        token,
        value: userId,
      });
      if (used === undefined) throw new WireError("INVALID_TOKEN");
    },
  });
  if (!isReplaced) throw new WireError("INVALID_TOKEN"); // the user was deleted meanwhile
  return { reply: { status: true } };
};
