import { type Caller, type OperationReply, type operations } from "@latchkey/contracts";
import { randomToken, seal } from "@latchkey/crypto";
import {
  type Answer,
  appendAudit,
  appendEvent,
  type Call,
  landingPlace,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { addressSubject } from "../email-verification/address-subject.ts";
import { browserHash } from "../one-time-tokens/link-browser.ts";
import { consumeVerification } from "../one-time-tokens/queries.ts";
import { findUser } from "../users/find-user.ts";
import { isPlaceholderEmail } from "../users/placeholder-email.ts";
import type { UserRow } from "../users/user-row.ts";
import { isBanned } from "../users/user-rules.ts";
import { proposeMagicLink } from "./magic-link.ts";
import { mailLocaleOf } from "../users/mail-locale.ts";

type SignInMagicLink = typeof operations.identity.signInMagicLink;
type Needs = Pick<
  Deps,
  "clock" | "config" | "db" | "limits" | "newEventId" | "newId" | "ring" | "wakeRelay"
>;

const browserLength = 32;

/** Returns whether an address is mailed a link. */
const isDue = ({ clock, config }: Needs, email: string, user: UserRow | undefined): boolean =>
  !isPlaceholderEmail(email) && (user ? !isBanned(user, clock()) : !config.magicLink.disableSignUp);

const urlOf = (
  { config: { appURL } }: Needs,
  { body, caller }: { body: Call<SignInMagicLink>["body"]; caller: Caller },
  token: string,
): string => {
  const query = new URLSearchParams({
    token,
    // Every mailed link has a callbackURL, because a request without one counts as a call of the client (ADR 47).
    callbackURL: landingPlace(appURL, caller, body.callbackURL) ?? "/",
  });
  for (const name of ["newUserCallbackURL", "errorCallbackURL"] as const) {
    const place = body[name];
    if (place) query.set(name, landingPlace(appURL, caller, place));
  }
  return `${caller.baseUrl}/magic-link/verify?${query.toString()}`;
};

/**
 * Mails a link that signs in. Status, body and work are the same whether the address is known, unknown, banned or over its limit of
 * mails, so neither the reply nor its time reveals which it is. The browser keeps a value by which the link recognizes it.
 */
export const signInMagicLink = async (
  deps: Needs,
  { body, caller }: Call<SignInMagicLink>,
): Promise<Answer<OperationReply<SignInMagicLink>>> => {
  const email = body.email.toLowerCase();
  const user = await findUser(deps, { email });
  const value = caller.kept?.magicLink ?? randomToken(browserLength, "alphanumeric");
  const browser = browserHash(value);
  const link = { email, name: body.name ?? "", browser };
  const { identifier, token, expiresAt, keep } = await proposeMagicLink(deps, link);
  const data = {
    ...(await mailLocaleOf(deps.db, { userId: user?.id, caller })),
    ...(user ? { userId: user.id } : {}),
    email,
    // Never the name in the request, because a stranger may have chosen it.
    name: user?.name ?? "",
    url: urlOf(deps, { body, caller }, token),
    expiresAt: expiresAt.toISOString(),
  };
  const wantsMail = isDue(deps, email, user);
  await deps.db.transaction().execute(async (trx) => {
    const countsFor = wantsMail ? "users" : "nobody";
    const isWithin = await deps.limits.countSignInMail(trx, { email, countsFor, beyond: "drop" });
    const isMailed = wantsMail && isWithin;
    await keep(trx);
    if (isMailed) await appendEvent(trx, deps, { name: "sign-in-link.requested", data });
    else {
      seal(deps.ring, "event", JSON.stringify(data));
      await consumeVerification(trx, { identifier, now: new Date(deps.clock()) });
    }
    await appendAudit(trx, deps, {
      actor: { kind: "anonymous" },
      subject: user ? { kind: "user", id: user.id } : addressSubject(deps.ring, email),
      action: isMailed ? "sign-in-link.requested" : "sign-in-link.refused",
      outcome: isMailed ? "success" : "refused",
      caller,
    });
  });
  deps.wakeRelay();
  const maxAgeSeconds = deps.config.magicLink.expiresIn;
  const effect = { kind: "keep", keeps: { magicLink: { value, maxAgeSeconds } } } as const;
  return { reply: { status: true }, effect };
};
