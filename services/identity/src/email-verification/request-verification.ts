import type { Caller } from "@latchkey/contracts";
import { appendAudit, appendEvent, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { CountedMail } from "../limits/limits.ts";
import type { UserRow } from "../users/user-row.ts";
import {
  type ProposedLink,
  proposeVerificationLink,
  type VerificationLinkNeeds,
} from "./verification-link.ts";

export type RequestVerificationNeeds = VerificationLinkNeeds & Pick<Deps, "limits" | "newEventId">;

export interface VerificationRequest {
  user: Pick<UserRow, "id" | "name" | "email">;
  callbackURL: string | undefined;
  caller: Caller;
  /** The user if the request proved who sent it, else anonymous. */
  actor: AuditEntry["actor"];
  /** Drops or refuses the mail when the mailbox is over its limit. */
  beyond: CountedMail["beyond"];
  /** Identifies the requesting browser, if no session does. */
  browser?: string | undefined;
}

export interface PreparedVerification extends Pick<ProposedLink, "identifier" | "keep"> {
  /** Stores and mails the link inside the given transaction. Returns false if the mail was dropped. */
  publish: (trx: Transaction<Tables>) => Promise<boolean>;
}

/** Prepares a verification link. It leaves only in a sealed event. */
export const requestVerification = async (
  deps: RequestVerificationNeeds,
  { user, callbackURL, caller, actor, beyond, browser }: VerificationRequest,
): Promise<PreparedVerification> => {
  const { id: userId, email, name } = user;
  const byUser = actor.kind === "user";
  const link = { userId, email, callbackURL, caller, browser, byUser };
  const { url, expiresAt, identifier, keep } = await proposeVerificationLink(deps, link);
  const publish = async (trx: Transaction<Tables>) => {
    const mail: CountedMail = { email, countsFor: "users", beyond };
    if (!(await deps.limits.countLinkMail(trx, mail))) return false;
    await keep(trx);
    const data = { userId, email, name, url, expiresAt };
    await appendEvent(trx, deps, { name: "verification.requested", data });
    await appendAudit(trx, deps, {
      actor,
      subject: { kind: "user", id: userId },
      action: "verification.requested",
      caller,
    });
    return true;
  };
  return { identifier, keep, publish };
};
