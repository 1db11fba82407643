import type { Caller } from "@latchkey/contracts";
import { hashToken, randomToken, seal, unseal } from "@latchkey/crypto";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import {
  consumeVerification,
  findVerification,
  insertVerification,
} from "../one-time-tokens/queries.ts";

/** 258 bits. */
const tokenLength = 43;
const purpose = "one-time token";

/** One-time tokens in the table, where they belong to their user. */
export const oneTimeTokens = { prefix: "one-time-token:" } as const;

/** A token, and the origin of the application that exchanges it. */
export interface PresentedToken {
  token: string;
  origin: string;
}

/**
 * Always a hash, whatever the options say about other tokens. It includes the origin, so that the statement that uses a token up finds
 * none for any other application.
 */
const identifierOf = ({ token, origin }: PresentedToken): string =>
  oneTimeTokens.prefix + hashToken(`${origin} ${token}`).toString("hex");

/** Returns the origin of the application that sends a request. A request that names none counts as one of our own origin. */
export const applicationOrigin = ({ origin, baseUrl }: Caller): string =>
  origin ?? new URL(baseUrl).origin;

/** Creates a token that stands for a session. */
export const createOneTimeToken = async (
  { clock, config, db, newId, ring }: Pick<Deps, "clock" | "config" | "db" | "newId" | "ring">,
  { sessionToken, userId, origin }: { sessionToken: string; userId: string; origin: string },
): Promise<string> => {
  const now = new Date(clock());
  const token = randomToken(tokenLength, "urlSafe");
  await insertVerification(db, {
    id: await newId("verification"),
    identifier: identifierOf({ token, origin }),
    value: userId,
    sealed: seal(ring, purpose, sessionToken),
    expiresAt: new Date(now.getTime() + config.oneTimeToken.expiresIn * 1000),
    createdAt: now,
    updatedAt: now,
  });
  return token;
};

/** Returns the token of the session for which a valid token stands. */
export const readOneTimeToken = async (
  { clock, db, ring }: Pick<Deps, "clock" | "db" | "ring">,
  presented: PresentedToken,
): Promise<string | undefined> => {
  const sealed = await findVerification(db, identifierOf(presented), new Date(clock()));
  return sealed === undefined ? undefined : unseal(ring, purpose, sealed);
};

/** Uses up a token in the transaction of its audit entry. Returns true for exactly one of several concurrent calls. */
export const consumeOneTimeToken = async (
  { clock }: Pick<Deps, "clock">,
  trx: Kysely<Tables>,
  presented: PresentedToken,
): Promise<boolean> => {
  const identifier = identifierOf(presented);
  const used = await consumeVerification(trx, { identifier, now: new Date(clock()) });
  return used !== undefined;
};
