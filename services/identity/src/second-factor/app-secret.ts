import { randomBytes } from "node:crypto";
import {
  seal,
  secretName,
  type SecretRing,
  type TotpForm,
  totpUri,
  unseal,
} from "@latchkey/crypto";
import type { Deps } from "../deps.ts";
import type { UserRow } from "../users/user-row.ts";

const sealedFor = (userId: string) => ({ purpose: "authenticator app", subject: userId });

/** The length of an HMAC-SHA-1 (RFC 4226, section 4). */
const secretBytes = 20;

export const newAppSecret = (): Buffer => randomBytes(secretBytes);

/** Seals the secret of an authenticator app for the row of its user. */
export const sealAppSecret = (ring: SecretRing, userId: string, secret: Uint8Array): string =>
  seal(ring, sealedFor(userId), Buffer.from(secret).toString("base64url"));

/** Returns the secret of an authenticator app. Returns undefined if it needs another secret of the installation. */
export const openAppSecret = (
  ring: SecretRing,
  userId: string,
  sealed: string,
): Buffer | undefined => {
  const text = unseal(ring, sealedFor(userId), sealed);
  return text === undefined ? undefined : Buffer.from(text, "base64url");
};

/** Returns the stored form of a confirmed app's secret. */
export const storedAppSecret = (ring: SecretRing, userId: string, secret: Uint8Array) => ({
  secretSealed: sealAppSecret(ring, userId, secret),
  sealedBy: secretName(ring),
});

/** Returns the form of the codes. */
export const codeForm = ({ config }: Pick<Deps, "config">): TotpForm => {
  const { digits, period } = config.twoFactor.totpOptions;
  return { digits, period };
};

/** Returns the name that authenticator apps show unless a request names another. */
export const defaultIssuer = ({ config }: Pick<Deps, "config">): string =>
  config.twoFactor.issuer ?? config.appName;

/** Returns the URI that an authenticator app reads. */
export const appUri = (
  deps: Pick<Deps, "config">,
  { email }: Pick<UserRow, "email">,
  { secret, issuer }: { secret: Uint8Array; issuer: string | null },
): string =>
  totpUri(secret, {
    ...codeForm(deps),
    issuer: issuer ?? defaultIssuer(deps),
    account: email,
  });
