import { hashToken } from "@latchkey/crypto";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import {
  consumeVerification,
  deleteVerification,
  findVerification,
  insertVerification,
} from "./queries.ts";

/**
 * A single-use token of which at most one exists. It calls no hook and is always stored as a hash, whatever the options
 * say.
 */
export interface SingleToken {
  /** The purpose of the token. Also its identifier, so that there can be only one. */
  name: string;
  token: string;
}

const valueOf = ({ token }: SingleToken): string => hashToken(token).toString("hex");

/** Stores a token and replaces the previous one. The caller must prevent concurrent calls. */
export const replaceSingleToken = async (
  { clock, newId }: Pick<Deps, "clock" | "newId">,
  trx: Kysely<Tables>,
  { lifetimeSeconds, ...single }: SingleToken & { lifetimeSeconds: number },
): Promise<void> => {
  const now = clock();
  await deleteVerification(trx, single.name);
  await insertVerification(trx, {
    id: await newId("verification"),
    identifier: single.name,
    value: valueOf(single),
    sealed: null,
    expiresAt: new Date(now + lifetimeSeconds * 1000),
    createdAt: new Date(now),
    updatedAt: new Date(now),
  });
};

/** Returns whether a token can still be used. */
export const isSingleTokenValid = async (
  { clock, db }: Pick<Deps, "clock" | "db">,
  single: SingleToken,
): Promise<boolean> =>
  (await findVerification(db, single.name, new Date(clock()))) === valueOf(single);

/** Uses up a token in the transaction of what it authorises. Returns true for exactly one of several concurrent calls. */
export const consumeSingleToken = async (
  { clock }: Pick<Deps, "clock">,
  trx: Kysely<Tables>,
  single: SingleToken,
): Promise<boolean> => {
  const now = new Date(clock());
  const used = await consumeVerification(trx, {
    identifier: single.name,
    now,
    value: valueOf(single),
  });
  return used !== undefined;
};
