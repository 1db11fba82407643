import { type Caller, WireError } from "@latchkey/contracts";
import { signVerificationToken, randomToken, seal } from "@latchkey/crypto";
import { appendAudit, type AuditEntry, sessionActor } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import { landingPlace } from "@latchkey/service-kit/http";
import type { Transaction } from "kysely";
import type { Deps, Handler } from "../deps.ts";
import { browserHash, rememberBrowser } from "../secrets/mailed-links.ts";
import { type ProposedSecret, proposeSecret, type SecretNeeds } from "../secrets/secrets.ts";
import type { Tables } from "../db/tables.ts";
import { mailCode } from "../email-codes/mail-code.ts";
import type { CountedMail } from "../limits/limits.ts";
import type { UserRow } from "../users/user-row.ts";
import { mailLocaleOf, addressSubject } from "../users/email.ts";
import { resolveSession } from "../sessions/resolve-session.ts";
import { findAddressee } from "./queries.ts";

type VerificationLinkNeeds = SecretNeeds & Pick<Deps, "logger">;

interface VerificationLink {
  /** The user whose address the link proves. Empty if the address belongs to no user. */
  userId: string;
  email: string;
  /** The address that replaces it. */
  updateTo?: string;
  callbackURL: string | undefined;
  caller: Caller;
  /** Identifies the requesting browser, if no session does. */
  browser?: string | undefined;
  /** The browser has signed up or entered the password. */
  byUser?: boolean;
}

/** Its token is not in the URL itself, but signed there with the address. */
interface ProposedLink extends Pick<ProposedSecret, "expiresAt" | "imitate" | "store"> {
  url: string;
}

/**
 * Creates the URL in a mail that proves an address. Its token is signed and names a row with the user, which one use
 * deletes.
 */
export const proposeVerificationLink = async (
  deps: VerificationLinkNeeds,
  { userId, email, updateTo, callbackURL, caller, browser, byUser = false }: VerificationLink,
): Promise<ProposedLink> => {
  const { clock, config, ring } = deps;
  const now = new Date(clock());
  const { expiresIn: expiresInSeconds } = config.emailVerification;
  const secret = { holder: userId, lifetimeSeconds: expiresInSeconds };
  const {
    token: id,
    expiresAt,
    store,
    imitate,
  } = await proposeSecret(deps, "emailVerification", secret);
  const claims = {
    email,
    id,
    byUser,
    ...(updateTo === undefined ? {} : { updateTo }),
    ...(browser === undefined ? {} : { browser: browserHash(browser) }),
  };
  const token = await signVerificationToken(ring, claims, { now, expiresInSeconds });
  // Every mailed link has a callbackURL, because a request without one counts as a call of the client (ADR 47).
  const landing = landingPlace(config.appURL, caller, callbackURL) ?? "/";
  const query = new URLSearchParams({ token, callbackURL: landing });
  return { url: `${caller.baseUrl}/verify-email?${query.toString()}`, expiresAt, store, imitate };
};

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
  countsFor?: "users" | "holders" | "admins";
  /** Identifies the requesting browser, if no session does. */
  browser?: string | undefined;
}

interface PreparedVerification {
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
    isOfHolder: countsFor === "holders",
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
  const proposed = await proposeVerificationLink(deps, link);
  const { url, store } = proposed;
  const expiresAt = proposed.expiresAt.toISOString();
  const languageOf = (trx: Transaction<Tables>) => mailLocaleOf(trx, { userId, caller });
  const imitateLink = async (trx: Transaction<Tables>) => {
    await proposed.imitate(trx);
    seal(deps.ring, "event", JSON.stringify({ ...user, ...(await languageOf(trx)) }));
  };
  const publish = async (trx: Transaction<Tables>) => {
    const mail: CountedMail = { email, countsFor, beyond };
    if (!(await deps.limits.countLinkMail(trx, mail))) {
      await imitateLink(trx);
      return false;
    }
    await store(trx);
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
    await imitateLink(trx);
  };
  return { publish, imitate };
};

/**
 * Mails a verification link. A signed-in user may request it only for their own unverified address, and gets 429 over the
 * limit of the mailbox. An anonymous caller gets the same reply whether the address is unknown, verified, mailed or over
 * the limit.
 */
export const sendVerificationEmail: Handler<"sendVerificationEmail"> = async (
  deps,
  { caller, body },
) => {
  if (!deps.config.emailVerification.enabled)
    throw new WireError("VERIFICATION_EMAIL_ISNT_ENABLED");
  const { email } = body;
  const signedIn = await resolveSession(deps, caller, { disableRefresh: true });
  if (signedIn?.user.emailVerified)
    throw new WireError("YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_AN_UNVERIFIED_EMAIL");
  if (signedIn && signedIn.user.email !== email)
    throw new WireError("YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_YOUR_OWN_EMAIL");
  const user = await findAddressee(deps.db, email);
  const actor: AuditEntry["actor"] = signedIn ? sessionActor(signedIn) : { kind: "anonymous" };
  const { callbackURL } = body;
  const isDue = user !== undefined && !user.emailVerified;
  // An address without a mail costs the same token, sealing and statements, so that the time reveals nothing.
  const addressee = { id: isDue ? user.id : "", name: user?.name ?? "", email };
  const asker = signedIn ? undefined : rememberBrowser(deps, caller);
  const { browser } = asker ?? {};
  const limit = signedIn
    ? ({ beyond: "refuse", countsFor: "holders" } as const)
    : ({ beyond: "drop" } as const);
  const request = { user: addressee, callbackURL, caller, actor, browser, ...limit };
  const { publish, imitate } = await requestVerification(deps, request);
  await deps.db.transaction().execute(async (trx) => {
    if (isDue && (await publish(trx))) return;
    if (!isDue) await imitate(trx);
    await appendAudit(trx, deps, {
      actor,
      subject: user ? { kind: "user", id: user.id } : addressSubject(deps.ring, email),
      action: "verification.refused",
      outcome: "refused",
      caller,
    });
  });
  deps.wakeRelay();
  return { reply: { status: true }, effect: asker?.effect };
};
