import { randomInt } from "node:crypto";
import { constantTimeEqual, hmacSha256, type SecretRing } from "@latchkey/crypto";
import { WireError } from "@latchkey/contracts";
import { countAccounts } from "../accounts/queries.ts";
import type { Deps } from "../deps.ts";
import { isPlaceholderEmail } from "../users/placeholder-email.ts";
import type { UserRow } from "../users/user-row.ts";
import { shownMethods, type Verifier } from "./find-verifier.ts";
import { isMailboxAlone, offeredMethods } from "./offered-methods.ts";
import { findTwoFactor } from "./queries.ts";

const purpose = "two-factor code";

/** Returns a random code of decimal digits. */
export const newMailedCode = (digits: number): string =>
  String(randomInt(10 ** digits)).padStart(digits, "0");

/** Returns what a mailed code is for: one sign-in or one session. It works nowhere else. */
export const subjectOf = (verifier: Verifier): string =>
  verifier.kind === "challenge"
    ? `challenge:${verifier.challenge.tokenHash.toString("base64url")}`
    : `session:${verifier.session.session.id}`;

interface CodeOf {
  subject: string;
  userId: string;
  code: string;
}

const messageOf = ({ subject, userId, code }: CodeOf): string =>
  JSON.stringify([subject, userId, code]);

export const macOfCode = (ring: SecretRing, of: CodeOf): string =>
  hmacSha256(ring.derive(purpose)[0], messageOf(of), "base64url");

/** Returns whether a code has this MAC under any secret, so that a rotation invalidates none. */
export const isCodeOfMac = (ring: SecretRing, of: CodeOf, codeMac: string): boolean =>
  ring
    .derive(purpose)
    .map((key) => constantTimeEqual(hmacSha256(key, messageOf(of), "base64url"), codeMac))
    .includes(true);

/** Returns whether a user may turn codes by mail on. They need a mailbox, which must not be the only way to sign in. */
export const mayTurnMailedCodesOn = async (
  { config, db }: Pick<Deps, "config" | "db">,
  { id, email }: Pick<UserRow, "email" | "id">,
): Promise<boolean> =>
  config.twoFactor.otpOptions.enabled &&
  !isPlaceholderEmail(email) &&
  (await countAccounts(db, id)) > 0;

/**
 * Throws `OTP_NOT_CONFIGURED` unless codes by mail count as a second factor here. They do not after a sign-in by mail, nor for users with
 * an app, unless the options allow both.
 */
export const requireMailedCodes = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  verifier: Verifier,
): Promise<void> => {
  const { user } = verifier;
  const shown = shownMethods(verifier);
  const mayUse = user.twoFactorEnabled
    ? offeredMethods(deps, await findTwoFactor(deps.db, user.id), shown).includes("otp")
    : !isMailboxAlone(shown) && (await mayTurnMailedCodesOn(deps, user));
  if (!mayUse) throw new WireError("OTP_NOT_CONFIGURED");
};
