import type { Caller } from "@latchkey/contracts";
import { appendAudit, appendEvent, type AuditEntry } from "@latchkey/service-kit";
import { randomToken, seal } from "@latchkey/crypto";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { mailCode } from "../email-codes/mail-code.ts";
import type { CountedMail } from "../limits/limits.ts";
import { consumeVerification } from "../one-time-tokens/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import { proposeVerificationLink, type VerificationLinkNeeds } from "./verification-link.ts";
import { mailLocaleOf } from "../users/mail-locale.ts";

const browserLength = 32;

export type RequestVerificationNeeds = VerificationLinkNeeds & Pick<Deps, "limits" | "newEventId">;

export interface VerificationRequest {
  user: Pick<UserRow, "id" | "name" | "email">;
  callbackURL: string | undefined;
  caller: Caller;
  /** The user if the request proved who sent it, else anonymous. */
  actor: AuditEntry["actor"];
  /** Drops or refuses the mail when the mailbox is over its limit. */
  beyond: CountedMail["beyond"];
  /** The count to which the mail belongs. A mail that an admin requests proves nothing about the browser of the user. */
  countsFor?: "users" | "admins";
  /** Identifies the requesting browser, if no session does. */
  browser?: string | undefined;
}

export interface PreparedVerification {
  /** Stores and mails the link or code inside the given transaction. Returns false if the mail was dropped. */
  publish: (trx: Transaction<Tables>) => Promise<boolean>;
  /** Does the same work for an address that is mailed nothing. */
  imitate: (trx: Transaction<Tables>) => Promise<void>;
}

/** Prepares a code, if the options replace links by codes. */
const prepareCode = (
  deps: RequestVerificationNeeds,
  { user, caller, actor, beyond, browser, countsFor }: VerificationRequest,
): PreparedVerification => {
  const { id, email, name } = user;
  const mail = {
    email,
    userId: id === "" ? undefined : id,
    userName: name,
    byUser: actor.kind === "user" && countsFor !== "admins",
    subject: { purpose: "email-verification", name: email },
    browser: browser ?? randomToken(browserLength, "alphanumeric"),
    counts: "links",
    beyond,
    actor,
    caller,
  } as const;
  return {
    publish: (trx) => mailCode(deps, trx, { ...mail, isDue: true }),
    imitate: async (trx) => {
      await mailCode(deps, trx, { ...mail, beyond: "drop", isDue: false });
    },
  };
};

/** Prepares a verification link, or a code. It leaves only in a sealed event. */
export const requestVerification = async (
  deps: RequestVerificationNeeds,
  request: VerificationRequest,
): Promise<PreparedVerification> => {
  const { enabled, overrideDefaultEmailVerification } = deps.config.emailOTP;
  if (enabled && overrideDefaultEmailVerification) return prepareCode(deps, request);
  const { user, callbackURL, caller, actor, beyond, browser, countsFor = "users" } = request;
  const { id: userId, email, name } = user;
  const byUser = actor.kind === "user" && countsFor !== "admins";
  const link = { userId, email, callbackURL, caller, browser, byUser };
  const { url, expiresAt, identifier, keep } = await proposeVerificationLink(deps, link);
  const languageOf = (trx: Transaction<Tables>) => mailLocaleOf(trx, { userId, caller });
  const waste = async (trx: Transaction<Tables>) => {
    await keep(trx);
    seal(deps.ring, "event", JSON.stringify({ ...user, ...(await languageOf(trx)) }));
    await consumeVerification(trx, { identifier, now: new Date(deps.clock()) });
  };
  const publish = async (trx: Transaction<Tables>) => {
    const mail: CountedMail = { email, countsFor, beyond };
    if (!(await deps.limits.countLinkMail(trx, mail))) {
      await waste(trx);
      return false;
    }
    await keep(trx);
    const data = { userId, email, name, url, expiresAt, ...(await languageOf(trx)) };
    await appendEvent(trx, deps, { name: "verification.requested", data });
    await appendAudit(trx, deps, {
      actor,
      subject: { kind: "user", id: userId },
      action: "verification.requested",
      caller,
    });
    return true;
  };
  const imitate = async (trx: Transaction<Tables>) => {
    await deps.limits.countLinkMail(trx, { email, countsFor: "nobody", beyond: "drop" });
    await waste(trx);
  };
  return { publish, imitate };
};
