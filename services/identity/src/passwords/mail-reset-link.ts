import type { Caller, EventData } from "@latchkey/contracts";
import { seal } from "@latchkey/crypto";
import { appendAudit, appendEvent, type AuditEntry, landingPlace } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { CountedMail } from "../limits/limits.ts";
import {
  consumeToken,
  keepToken,
  type ProposedToken,
  proposeToken,
  resetPasswordToken,
} from "../one-time-tokens/single-use-token.ts";
import { lockAddressee } from "./queries.ts";
import { addressSubject } from "../email-verification/address-subject.ts";
import { mailLocaleOf } from "../users/mail-locale.ts";

export type MailResetLinkNeeds = Pick<
  Deps,
  "clock" | "config" | "db" | "limits" | "logger" | "newEventId" | "newId" | "ring" | "wakeRelay"
>;

/** The reason for a link to choose a password: the user has forgotten theirs, or an admin has invited them. */
export type PasswordLinkPurpose = "password-reset" | "user-invitation";

export interface ResetRequest {
  /** Default: `password-reset`. */
  purpose?: PasswordLinkPurpose;
  /** In lower case. */
  email: string;
  /** The user with this address. Undefined if there is none. */
  userId: string | undefined;
  /** The page that receives the token. Default: the application's URL. */
  redirectTo: string | undefined;
  actor: AuditEntry["actor"];
  caller: Caller;
  /** The count to which the mail belongs, and the behaviour beyond its limit. */
  limit: Pick<CountedMail, "beyond"> & { countsFor: "users" | "admins" };
  /** Part of an act that has its own audit entry. */
  isPartOfAudited?: boolean;
  /** Runs first in the transaction. An error rolls it back. */
  within?: (trx: Transaction<Tables>) => Promise<void>;
}

interface Link {
  proposed: ProposedToken;
  url: string;
}

const proposeLink = async (
  deps: MailResetLinkNeeds,
  { userId = "", redirectTo, caller, purpose }: ResetRequest,
): Promise<Link> => {
  const { admin, emailAndPassword } = deps.config;
  const proposed = await proposeToken(deps, resetPasswordToken, {
    value: userId,
    lifetimeSeconds:
      purpose === "user-invitation"
        ? admin.invitationExpiresIn
        : emailAndPassword.resetPasswordTokenExpiresIn,
  });
  const landing = landingPlace(deps.config.appURL, caller, redirectTo) ?? "";
  const callbackURL = encodeURIComponent(landing);
  const url = `${caller.baseUrl}/reset-password/${proposed.token}?callbackURL=${callbackURL}`;
  return { proposed, url };
};

/** Returns the addressee of the link, and whether it is mailed: not if the mailbox is over its limit. */
const publish = async (
  deps: MailResetLinkNeeds,
  trx: Transaction<Tables>,
  {
    email,
    limit,
    proposed,
    url,
    purpose = "password-reset",
    caller,
  }: Link & Pick<ResetRequest, "caller" | "email" | "limit" | "purpose">,
): Promise<{ userId: string | undefined; isMailed: boolean }> => {
  const addressee = await lockAddressee(trx, email);
  const { id: userId, name } = addressee ?? { id: "", name: "" };
  await keepToken(deps, trx, proposed);
  const data: EventData<"password-reset.requested"> = {
    userId,
    email,
    name,
    url,
    expiresAt: proposed.row.expiresAt.toISOString(),
    ...(await mailLocaleOf(trx, { userId, caller })),
  };
  const isKnown = addressee !== undefined && userId === proposed.row.value;
  const countsFor = isKnown ? limit.countsFor : "nobody";
  const isWithin = await deps.limits.countLinkMail(trx, {
    email,
    countsFor,
    beyond: isKnown ? limit.beyond : "drop",
  });
  if (isKnown && isWithin) {
    await appendEvent(trx, deps, { name: `${purpose}.requested`, data });
    return { userId, isMailed: true };
  }
  seal(deps.ring, "event", JSON.stringify(data));
  await consumeToken(deps, trx, proposed);
  return { userId: isKnown ? userId : undefined, isMailed: false };
};

/** A link that is stored and mailed in a transaction of the caller. */
export interface PreparedLink {
  /** Returns false if nothing is mailed. */
  publish: (trx: Transaction<Tables>) => Promise<boolean>;
  /** Must be called once the transaction has ended. */
  settle: () => Promise<void>;
}

/** Creates a link to choose a new password. */
export const prepareResetLink = async (
  deps: MailResetLinkNeeds,
  request: ResetRequest,
): Promise<PreparedLink> => {
  const { email, actor, caller, limit, purpose = "password-reset" } = request;
  const link = await proposeLink(deps, request);
  const publishAudited = async (trx: Transaction<Tables>) => {
    await request.within?.(trx);
    const { userId, isMailed } = await publish(deps, trx, {
      email,
      limit,
      purpose,
      caller,
      ...link,
    });
    if (request.isPartOfAudited) return isMailed;
    await appendAudit(trx, deps, {
      actor,
      subject: userId ? { kind: "user", id: userId } : addressSubject(deps.ring, email),
      action: isMailed ? `${purpose}.requested` : `${purpose}.refused`,
      outcome: isMailed ? "success" : "refused",
      caller,
    });
    return isMailed;
  };
  const settle = async () => {
    await deps.config.databaseHooks.verification.create.after?.(link.proposed.row);
  };
  return { publish: publishAudited, settle };
};

/**
 * Mails a link to choose a new password. Returns false if nothing is mailed: the address is not the user's, belongs to no
 * user, or its mailbox is over the limit. In that case it makes the same token, sealing and statements, and calls the
 * same hooks of the application.
 */
export const mailResetLink = async (
  deps: MailResetLinkNeeds,
  request: ResetRequest,
): Promise<boolean> => {
  const { publish: publishLink, settle } = await prepareResetLink(deps, request);
  const mailed = await deps.db.transaction().execute(publishLink);
  if (mailed) deps.wakeRelay();
  await settle();
  return mailed;
};
