import { type Caller, type EventData, WireError } from "@latchkey/contracts";
import { seal } from "@latchkey/crypto";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import { encodeQueryValue, landingPlace, setQuery, splitUrl } from "@latchkey/service-kit/http";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps, Handler } from "../deps.ts";
import { checkNewPassword } from "../access/check-password.ts";
import type { CountedMail } from "../limits/limits.ts";
import {
  type ProposedSecret,
  proposeSecret,
  type SecretNeeds,
  readSecret,
  useSecret,
} from "../secrets/secrets.ts";
import { listClaimedMethods } from "../rows/accounts.ts";
import { findPasswordAccount, lockAddressee } from "../rows/passwords.ts";
import { mailLocaleOf, addressSubject } from "../users/email.ts";
import { findUser } from "../users/find-users.ts";
import { findInvitation, isUntouchedInvitation } from "../users/invitations/queries.ts";
import { isAddressProven } from "../users/queries.ts";
import { replacePassword } from "./replace-password.ts";

export type MailResetLinkNeeds = Pick<
  Deps,
  "clock" | "config" | "db" | "limits" | "logger" | "newEventId" | "newId" | "ring" | "wakeRelay"
>;

/** The reason for a link to choose a password: the user has forgotten theirs, or an admin has invited them. */
type PasswordLinkPurpose = "password-reset" | "user-invitation";

interface ResetRequest {
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
  limit: Pick<CountedMail, "beyond"> & { countsFor: "users" | "holders" | "admins" };
  /** Part of an act that has its own audit entry. */
  isPartOfAudited?: boolean;
  /** Runs first in the transaction. An error rolls it back. */
  within?: (trx: Transaction<Tables>) => Promise<void>;
}

interface Link {
  proposed: ProposedSecret;
  url: string;
}

/** Creates a link to choose a new password, without storing or mailing it. */
export const proposeResetLink = async (
  deps: SecretNeeds & Pick<Deps, "logger">,
  {
    userId = "",
    redirectTo,
    caller,
    purpose,
  }: Pick<ResetRequest, "caller" | "purpose" | "redirectTo" | "userId">,
): Promise<Link> => {
  const { admin, emailAndPassword } = deps.config;
  const proposed = await proposeSecret(deps, "passwordReset", {
    holder: userId,
    lifetimeSeconds:
      purpose === "user-invitation"
        ? admin.invitationExpiresIn
        : emailAndPassword.resetPasswordTokenExpiresIn,
  });
  const landing = landingPlace(deps.config.appURL, caller, redirectTo) ?? "";
  const callbackURL = encodeQueryValue(landing);
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
  const data: EventData<"password-reset.requested"> = {
    userId,
    email,
    name,
    url,
    expiresAt: proposed.expiresAt.toISOString(),
    ...(await mailLocaleOf(trx, { userId, caller })),
  };
  const isKnown = addressee !== undefined && userId === proposed.holder;
  const countsFor = isKnown ? limit.countsFor : "nobody";
  const isWithin = await deps.limits.countLinkMail(trx, {
    email,
    countsFor,
    beyond: isKnown ? limit.beyond : "drop",
  });
  if (isKnown && isWithin) {
    await proposed.store(trx);
    await appendEvent(trx, deps, { name: `${purpose}.requested`, data });
    return { userId, isMailed: true };
  }
  await proposed.imitate(trx);
  seal(deps.ring, "event", JSON.stringify(data));
  return { userId: isKnown ? userId : undefined, isMailed: false };
};

/** A link that is stored and mailed in a transaction of the caller. */
interface PreparedLink {
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
  const link = await proposeResetLink(deps, request);
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
  return { publish: publishAudited, settle: link.proposed.settle };
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

const message = "If this email exists in our system, check your email for the reset link";

/**
 * Mails a link to choose a new password. Status, body and work are the same whether the address is known, unknown or over
 * its limit of mails. Neither reply nor time thus reveals which it is.
 */
export const requestPasswordReset: Handler<"requestPasswordReset" | "forgetPassword"> = async (
  deps,
  { body, caller },
) => {
  if (!deps.config.emailAndPassword.resetPassword.enabled)
    throw new WireError("RESET_PASSWORD_ISNT_ENABLED");
  const { email } = body;
  const user = await findUser(deps, { email });
  await mailResetLink(deps, {
    email,
    userId: user?.id,
    redirectTo: body.redirectTo,
    actor: { kind: "anonymous" },
    caller,
    limit: { countsFor: "users", beyond: "drop" },
  });
  return { reply: { status: true, message } };
};

/**
 * Returns the URL that was validated. It is parsed on its own first, and only then as a path of our own. Relative to our
 * URL, `http:x` would be a path, and `//x` would lead to another site. Query and fragment stay as they are.
 */
const destination = (callbackURL: string, baseUrl: string): string => {
  if (URL.canParse(callbackURL)) return callbackURL;
  const own = URL.parse(callbackURL, baseUrl);
  if (own?.origin !== new URL(baseUrl).origin) throw new WireError("INVALID_CALLBACKURL");
  const { page } = splitUrl(callbackURL);
  return new URL(page, baseUrl).href + callbackURL.slice(page.length);
};

/**
 * Opens a mailed reset link: redirects the browser to the application with the token, which stays valid, or with an
 * error.
 */
export const openPasswordReset: Handler<"openPasswordReset"> = async (
  deps,
  { caller: { baseUrl }, params: { token }, query: { callbackURL } },
) => {
  if (callbackURL === "") return { redirect: `${baseUrl}/error?error=INVALID_TOKEN` };
  const url = destination(callbackURL, baseUrl);
  const isGood = (await readSecret(deps, "passwordReset", { token })) !== undefined;
  return { redirect: setQuery(url, isGood ? { token } : { error: "INVALID_TOKEN" }) };
};

/**
 * Returns whether the token of a mailed link is valid, which stays valid, and the sign-in methods that its use deletes. Its holder reads the
 * mailbox of the user, so they may know.
 */
export const checkPasswordReset: Handler<"checkPasswordReset"> = async (
  deps,
  { body: { token } },
) => {
  const secret = await readSecret(deps, "passwordReset", { token });
  const user = secret && (await findUser(deps, { id: secret.holder }));
  if (!user) throw new WireError("INVALID_TOKEN");
  const { db } = deps;
  if ((await isAddressProven(db, user)) || (await isUntouchedInvitation(db, user.id)))
    return { reply: { status: true } };
  const account = await findPasswordAccount(db, user.id);
  const ends = await listClaimedMethods(db, { userId: user.id, kept: account?.id });
  return { reply: { status: true, ends } };
};

/**
 * Sets a new password by the token of a mailed link. The token is used up with the write, and only one of several
 * concurrent uses succeeds. A user with an unverified address afterwards has no other sign-in method. For an invited user
 * the link also verifies the address.
 */
export const resetPassword: Handler<"resetPassword"> = async (deps, { body, query, caller }) => {
  const options = deps.config.emailAndPassword;
  const token = body.token || query.token;
  if (!token) throw new WireError("INVALID_TOKEN");
  await checkNewPassword(deps, body.newPassword);
  const userId = (await readSecret(deps, "passwordReset", { token }))?.holder;
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
      const use = { name: "passwordReset", token, holder: userId } as const;
      if (!(await useSecret(deps, trx, use))) throw new WireError("INVALID_TOKEN");
    },
  });
  if (!isReplaced) throw new WireError("INVALID_TOKEN"); // the user was deleted meanwhile
  return { reply: { status: true } };
};
