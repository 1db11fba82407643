import type { Caller, EventData } from "@latchkey/contracts";
import { hashToken, seal } from "@latchkey/crypto";
import { appendAudit, appendEvent, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import {
  consumeToken,
  keepToken,
  type ProposedToken,
  proposeToken,
  resetPasswordToken,
} from "../verification/single-use-token.ts";
import { lockAddressee } from "./queries.ts";

/** What it works with. */
export type MailResetLinkNeeds = Pick<
  Deps,
  "clock" | "config" | "db" | "logger" | "newEventId" | "newId" | "ring" | "wakeRelay"
>;

export interface ResetRequest {
  /** In lower case. */
  email: string;
  /** Whose address it is; undefined where it is nobody's. */
  userId: string | undefined;
  /** Where the link leads, with the token. */
  redirectTo: string;
  actor: AuditEntry["actor"];
  caller: Caller;
}

interface Link {
  proposed: ProposedToken;
  url: string;
}

const proposeLink = async (
  deps: MailResetLinkNeeds,
  { userId = "", redirectTo, caller }: ResetRequest,
): Promise<Link> => {
  const proposed = await proposeToken(deps, resetPasswordToken, {
    value: userId,
    lifetimeSeconds: deps.config.emailAndPassword.resetPasswordTokenExpiresIn,
  });
  const callbackURL = encodeURIComponent(redirectTo);
  const url = `${caller.baseUrl}/reset-password/${proposed.token}?callbackURL=${callbackURL}`;
  return { proposed, url };
};

/** Gives whom the link goes to. */
const publish = async (
  deps: MailResetLinkNeeds,
  trx: Transaction<Tables>,
  { email, proposed, url }: Link & Pick<ResetRequest, "email">,
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
 * Mails a link to choose a new password; false when the address is not the user's, or nobody's, and nothing is mailed. That
 * costs the same token, sealing and statements, and the application's hooks are asked about either.
 */
export const mailResetLink = async (
  deps: MailResetLinkNeeds,
  request: ResetRequest,
): Promise<boolean> => {
  const { email, actor, caller } = request;
  const link = await proposeLink(deps, request);
  const mailed = await deps.db.transaction().execute(async (trx) => {
    const userId = await publish(deps, trx, { email, ...link });
    const isMailed = userId !== undefined;
    await appendAudit(trx, deps, {
      actor,
      subject: isMailed
        ? { kind: "user", id: userId }
        : { kind: "address", id: hashToken(email).toString("hex") },
      action: isMailed ? "password-reset.requested" : "password-reset.refused",
      outcome: isMailed ? "success" : "refused",
      caller,
    });
    return isMailed;
  });
  if (mailed) deps.wakeRelay();
  await deps.config.databaseHooks.verification.create.after?.(link.proposed.row);
  return mailed;
};
