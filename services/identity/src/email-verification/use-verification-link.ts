import { hashToken } from "@latchkey/crypto";
import type { Kysely, Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import {
  consumeVerification,
  findVerification,
  insertVerificationOnce,
} from "../one-time-tokens/queries.ts";
import { isPasswordNewer } from "./queries.ts";

type Needs = Pick<Deps, "clock" | "db" | "newId">;

/** Prefix of the identifiers of verification links, which are always stored as hashes. */
export const verificationLinks = { prefix: "verify-email:" } as const;

/** Returns the identifier of a link's row. */
export const linkIdentifier = (token: string): string =>
  verificationLinks.prefix + hashToken(token).toString("hex");

/** A link whose signature was verified. */
export interface SignedLink {
  token: string;
  /** Undefined for a link of another issuer, which has no row. */
  id?: string;
  issuedAt: Date | undefined;
  expiresAt: Date | undefined;
}

/** Checks a link, and uses it up in the transaction of the change that it authorises. */
export interface LinkUse {
  isGood: () => Promise<boolean>;
  /** Returns true for exactly one of several concurrent calls. The user must be locked. */
  consume: (trx: Transaction<Tables>) => Promise<boolean>;
}

/**
 * Handles a link of this service. It has a row with its user's id. Its use, the next password and the next address delete
 * that row.
 */
const useOwn = ({ clock, db }: Needs, id: string, userId: string): LinkUse => {
  const identifier = linkIdentifier(id);
  const now = () => new Date(clock());
  return {
    isGood: async () => (await findVerification(db, identifier, now())) === userId,
    consume: async (trx) =>
      (await consumeVerification(trx, { identifier, now: now(), value: userId })) !== undefined,
  };
};

/** How long the use of a token without `exp` is recorded. */
const rememberedMilliseconds = 10 * 365 * 86_400_000;

/**
 * Handles a link of `better-auth`, or of a release without rows. It gets a row when it is used. A password that is newer
 * than the link invalidates it.
 */
const useForeign = async (
  { clock, db, newId }: Needs,
  { token, issuedAt, expiresAt }: SignedLink,
  userId: string,
): Promise<LinkUse> => {
  const now = new Date(clock());
  const identifier = linkIdentifier(token);
  const isEnded = async (on: Kysely<Tables>) =>
    issuedAt !== undefined && (await isPasswordNewer(on, userId, issuedAt));
  const row = {
    id: await newId("verification"),
    identifier,
    value: "",
    expiresAt: expiresAt ?? new Date(now.getTime() + rememberedMilliseconds),
    createdAt: now,
    updatedAt: now,
  };
  return {
    isGood: async () =>
      (await findVerification(db, identifier, now)) === undefined && !(await isEnded(db)),
    consume: async (trx) => !(await isEnded(trx)) && insertVerificationOnce(trx, row),
  };
};

/** Returns how a signed link of a user can be used. */
export const useVerificationLink = async (
  deps: Needs,
  link: SignedLink,
  userId: string,
): Promise<LinkUse> =>
  link.id === undefined ? useForeign(deps, link, userId) : useOwn(deps, link.id, userId);
