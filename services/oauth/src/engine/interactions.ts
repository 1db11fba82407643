import { hashToken } from "@latchkey/crypto";
import type { Kysely } from "kysely";
import type { InteractionResults } from "oidc-provider";
import type { Tables } from "../db/tables.ts";

/** A request that waits for an answer of the user. */
export interface Interaction {
  id: string;
  prompt: string;
  reasons: readonly string[];
  startedAt: Date;
  params: Readonly<Record<string, unknown>>;
  clientId: string;
  /** The user who was signed in when it began. */
  userId: string | null;
  /** The answer of a user, if the browser itself fetches what follows. */
  answer?: InteractionAnswer | undefined;
}

export interface InteractionAnswer {
  userId: string;
  result: InteractionResults;
}

interface InteractionPayload {
  prompt: { name: string; reasons: string[] };
  params: Record<string, unknown>;
  answer?: InteractionAnswer;
}

/** Stores what a user has answered. Returns false if the interaction is gone or was answered before. */
export const answerInteraction = (
  db: Kysely<Tables>,
  id: string,
  answer: InteractionAnswer,
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const hash = hashToken(id);
    const row = await trx
      .selectFrom("artifact")
      .select("payload")
      .where("hash", "=", hash)
      .where("kind", "=", "Interaction")
      .forUpdate()
      .executeTakeFirst();
    const payload = row && (JSON.parse(row.payload) as InteractionPayload); // written by the adapter
    if (!payload || payload.answer) return false;
    await trx
      .updateTable("artifact")
      .set({ payload: JSON.stringify({ ...payload, answer }) })
      .where("hash", "=", hash)
      .execute();
    return true;
  });

/** Returns a text parameter of a request. */
export const textParam = (params: Interaction["params"], name: string): string => {
  const value = params[name];
  return typeof value === "string" ? value : "";
};

/** Returns an interaction that was not answered and has not expired. */
export const findInteraction = async (
  db: Kysely<Tables>,
  id: string,
  now: Date,
): Promise<Interaction | undefined> => {
  const row = await db
    .selectFrom("artifact")
    .select(["payload", "clientId", "userId", "createdAt"])
    .where("hash", "=", hashToken(id))
    .where("kind", "=", "Interaction")
    .where("expiresAt", ">", now)
    .executeTakeFirst();
  if (!row) return undefined;
  const { prompt, params, answer } = JSON.parse(row.payload) as InteractionPayload; // written by the adapter
  return {
    id,
    prompt: prompt.name,
    reasons: prompt.reasons,
    startedAt: row.createdAt,
    params,
    clientId: row.clientId ?? "",
    userId: row.userId,
    answer,
  };
};
