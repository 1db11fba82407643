import {
  type EventData,
  type OperationReply,
  type operations,
  WireError,
} from "@latchkey/contracts";
import { hashToken, seal } from "@latchkey/crypto";
import { type Answer, appendAudit, appendEvent, type Call } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { findUser } from "../users/find-user.ts";
import {
  consumeToken,
  keepToken,
  type ProposedToken,
  proposeToken,
  resetPasswordToken,
} from "../verification/single-use-token.ts";
import { lockAddressee } from "./queries.ts";

type RequestPasswordReset = typeof operations.identity.requestPasswordReset;
type ForgetPassword = typeof operations.identity.forgetPassword;
type Needs = Pick<
  Deps,
  "clock" | "config" | "db" | "logger" | "newEventId" | "newId" | "ring" | "wakeRelay"
>;

interface ResetRequest {
  email: string;
  proposed: ProposedToken;
  url: string;
}

const message = "If this email exists in our system, check your email for the reset link";

/**
 * Mails the link and gives whom; an address without a user, or with another one by now, costs the same token, sealing and
 * statements.
 */
const mailLink = async (
  deps: Needs,
  trx: Transaction<Tables>,
  { email, proposed, url }: ResetRequest,
): Promise<string | undefined> => {
  const addressee = await lockAddressee(trx, email);
  const { id: userId, name } = addressee ?? { id: "", name: "" };
  await keepToken(deps, trx, proposed);
  const data: EventData<"password-reset.requested"> = { userId, email, name, url };
  if (addressee && userId === proposed.row.value) {
    await appendEvent(trx, deps, { name: "password-reset.requested", data });
    return userId;
  }
  seal(deps.ring, "event", JSON.stringify(data));
  await consumeToken(deps, trx, proposed);
  return undefined;
};

/**
 * Mails a link to choose a new password. Status, body and work are the same whether the address is known or not, so that
 * neither answer nor time tells which it is; the application's hooks are asked about either too.
 */
export const requestPasswordReset = async (
  deps: Needs,
  { body, caller }: Call<RequestPasswordReset> | Call<ForgetPassword>,
): Promise<Answer<OperationReply<RequestPasswordReset>>> => {
  const { resetPassword, resetPasswordTokenExpiresIn } = deps.config.emailAndPassword;
  if (!resetPassword.enabled) throw new WireError("RESET_PASSWORD_ISNT_ENABLED");
  const email = body.email.toLowerCase();
  const user = await findUser(deps, { email });
  const proposed = await proposeToken(deps, resetPasswordToken, {
    value: user?.id ?? "",
    lifetimeSeconds: resetPasswordTokenExpiresIn,
  });
  const callbackURL = encodeURIComponent(body.redirectTo ?? "");
  const url = `${caller.baseUrl}/reset-password/${proposed.token}?callbackURL=${callbackURL}`;
  const userId = await deps.db.transaction().execute(async (trx) => {
    const mailed = await mailLink(deps, trx, { email, proposed, url });
    await appendAudit(trx, deps, {
      actor: { kind: "anonymous" },
      subject:
        mailed === undefined
          ? { kind: "address", id: hashToken(email).toString("hex") }
          : { kind: "user", id: mailed },
      action: mailed === undefined ? "password-reset.refused" : "password-reset.requested",
      outcome: mailed === undefined ? "refused" : "success",
      caller,
    });
    return mailed;
  });
  if (userId !== undefined) deps.wakeRelay();
  await deps.config.databaseHooks.verification.create.after?.(proposed.row);
  return { reply: { status: true, message } };
};
