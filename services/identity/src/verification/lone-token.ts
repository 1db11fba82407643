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

/** A single-use token of which there is one at most. No hook is asked about it, and whatever the options say, it rests hashed. */
export interface LoneToken {
  /** What it opens; its identifier too, so that there can be no second one. */
  name: string;
  token: string;
}

const valueOf = ({ token }: LoneToken): string => hashToken(token).toString("hex");

/** Keeps a token in place of the one before. Who calls sees to it that nobody else does so meanwhile. */
export const replaceLoneToken = async (
  { clock, newId }: Pick<Deps, "clock" | "newId">,
  trx: Kysely<Tables>,
  { lifetimeSeconds, ...lone }: LoneToken & { lifetimeSeconds: number },
): Promise<void> => {
  const now = clock();
  await deleteVerification(trx, lone.name);
  await insertVerification(trx, {
    id: await newId("verification"),
    identifier: lone.name,
    value: valueOf(lone),
    sealed: null,
    expiresAt: new Date(now + lifetimeSeconds * 1000),
    createdAt: new Date(now),
    updatedAt: new Date(now),
  });
};

/** Whether a token can still be used. */
export const isLoneTokenGood = async (
  { clock, db }: Pick<Deps, "clock" | "db">,
  lone: LoneToken,
): Promise<boolean> => (await findVerification(db, lone.name, new Date(clock()))) === valueOf(lone);

/** Uses a token up, in the transaction of what it allows; one of many at once is told true. */
export const consumeLoneToken = async (
  { clock }: Pick<Deps, "clock">,
  trx: Kysely<Tables>,
  lone: LoneToken,
): Promise<boolean> => {
  const now = new Date(clock());
  const used = await consumeVerification(trx, {
    identifier: lone.name,
    now,
    value: valueOf(lone),
  });
  return used !== undefined;
};
