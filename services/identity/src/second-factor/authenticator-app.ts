import { randomBytes } from "node:crypto";
import {
  seal,
  secretName,
  type SecretRing,
  type TotpForm,
  totpUri,
  unseal,
  findTotpSteps,
} from "@latchkey/crypto";
import type { Transaction } from "kysely";
import type { Deps } from "../deps.ts";
import type { UserRow } from "../users/user-row.ts";
import type { Tables } from "../db/tables.ts";
import { replaceBackupCodes, confirmBackupCodes } from "./backup-codes.ts";
import { confirmPendingApp, keepPendingApp, type TwoFactorRow } from "../rows/second-factors.ts";

const sealedFor = (userId: string) => ({ purpose: "authenticator app", subject: userId }) as const;

/** The length of an HMAC-SHA-1 (RFC 4226, section 4). */
const secretBytes = 20;

const newAppSecret = (): Buffer => randomBytes(secretBytes);

/** Seals the secret of an authenticator app for the row of its user. */
const sealAppSecret = (ring: SecretRing, userId: string, secret: Uint8Array): string =>
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
const codeForm = ({ config }: Pick<Deps, "config">): TotpForm => {
  const { digits, period } = config.twoFactor.totpOptions;
  return { digits, period };
};

/** Returns the name that authenticator apps show unless a request names another. */
const defaultIssuer = ({ config }: Pick<Deps, "config">): string =>
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

/** A prepared app is dropped after this time. */
const pendingMilliseconds = 3_600_000;

/** An authenticator app that was prepared and is not confirmed. */
export interface PreparedApp {
  secret: Buffer;
  issuer: string | null;
  pendingSealed: string;
}

/** An authenticator app that is turned on. */
export interface ConfirmedApp {
  secret: Buffer;
  secretSealed: string;
  /** The time step of the last used code. */
  lastStep: number;
}

/** Returns the confirmed app of a user, if a secret of the installation opens it. */
export const confirmedAppOf = (
  { ring }: Pick<Deps, "ring">,
  row: TwoFactorRow | undefined,
): ConfirmedApp | undefined => {
  if (!row?.secretSealed) return undefined;
  const { userId, secretSealed, lastStep } = row;
  const secret = openAppSecret(ring, userId, secretSealed);
  return secret && { secret, secretSealed, lastStep };
};

/** Returns the prepared app of a user, if it has not expired. */
export const preparedAppOf = (
  { clock, ring }: Pick<Deps, "clock" | "ring">,
  row: TwoFactorRow | undefined,
): PreparedApp | undefined => {
  const { userId, pendingSealed, pendingIssuer, pendingExpiresAt } = row ?? {};
  if (!userId || !pendingSealed || !pendingExpiresAt || pendingExpiresAt.getTime() <= clock())
    return undefined;
  const secret = openAppSecret(ring, userId, pendingSealed);
  return secret && { secret, issuer: pendingIssuer ?? null, pendingSealed };
};

/** Stores a new app with new backup codes, in place of an earlier prepared one. Both count for nothing until a first code. */
export const prepareApp = async (
  deps: Pick<Deps, "clock" | "config" | "newEventId" | "ring">,
  trx: Transaction<Tables>,
  { userId, issuer }: { userId: string; issuer: string | undefined },
): Promise<PreparedApp & { backupCodes: string[] }> => {
  const secret = newAppSecret();
  const pendingIssuer = issuer ?? defaultIssuer(deps);
  const pendingSealed = sealAppSecret(deps.ring, userId, secret);
  const pendingExpiresAt = new Date(deps.clock() + pendingMilliseconds);
  await keepPendingApp(trx, userId, { pendingSealed, pendingIssuer, pendingExpiresAt });
  const backupCodes = await replaceBackupCodes(deps, trx, { userId, isPending: true });
  return { secret, issuer: pendingIssuer, pendingSealed, backupCodes };
};

/**
 * Turns a prepared app into the confirmed one, with its backup codes. `step` is the time step of its first code, or -1 without one. Returns
 * true for exactly one of several concurrent calls.
 */
export const confirmApp = async (
  deps: Pick<Deps, "clock" | "ring">,
  trx: Transaction<Tables>,
  { userId, app, step }: { userId: string; app: PreparedApp; step: number },
): Promise<boolean> => {
  const { secret, issuer, pendingSealed } = app;
  const isConfirmed = await confirmPendingApp(trx, {
    ...storedAppSecret(deps.ring, userId, secret),
    userId,
    pendingSealed,
    issuer,
    lastStep: step,
    now: new Date(deps.clock()),
  });
  if (isConfirmed) await confirmBackupCodes(trx, userId);
  return isConfirmed;
};

/** Returns the earliest time step after `lastStep` whose code was entered. */
export const findUnusedStep = (
  deps: Pick<Deps, "clock" | "config">,
  secret: Uint8Array,
  { code, lastStep }: { code: string; lastStep: number },
): number | undefined =>
  findTotpSteps(secret, code, { ...codeForm(deps), now: deps.clock() }).find(
    (step) => step > lastStep,
  );
