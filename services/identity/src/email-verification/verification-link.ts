import type { Caller } from "@latchkey/contracts";
import { randomToken, signVerificationToken } from "@latchkey/crypto";
import { landingPlace } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { browserHash } from "../one-time-tokens/link-browser.ts";
import { insertVerification } from "../one-time-tokens/queries.ts";
import { linkIdentifier } from "./use-verification-link.ts";

export type VerificationLinkNeeds = Pick<Deps, "clock" | "config" | "newId" | "ring">;

export interface VerificationLink {
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

export interface ProposedLink {
  /** Identifies the row of the link. */
  identifier: string;
  url: string;
  expiresAt: string;
  /** Stores the link until it is used or expires, in the transaction that mails it. */
  keep: (trx: Transaction<Tables>) => Promise<void>;
}

const idLength = 32;

/**
 * Creates the URL in a mail that proves an address. Its token is signed and names a row with the user, which one use
 * deletes.
 */
export const proposeVerificationLink = async (
  { clock, config, newId, ring }: VerificationLinkNeeds,
  { userId, email, updateTo, callbackURL, caller, browser, byUser = false }: VerificationLink,
): Promise<ProposedLink> => {
  const now = new Date(clock());
  const { expiresIn: expiresInSeconds } = config.emailVerification;
  const id = randomToken(idLength, "alphanumeric");
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
  const row = {
    id: await newId("verification"),
    identifier: linkIdentifier(id),
    value: userId,
    sealed: null,
    expiresAt: new Date(now.getTime() + expiresInSeconds * 1000),
    createdAt: now,
    updatedAt: now,
  };
  return {
    identifier: row.identifier,
    url: `${caller.baseUrl}/verify-email?${query.toString()}`,
    expiresAt: row.expiresAt.toISOString(),
    keep: (trx) => insertVerification(trx, row),
  };
};
