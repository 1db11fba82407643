import { randomToken } from "@latchkey/crypto";
import type { Kysely } from "kysely";
import type { IdentityConfig } from "../config.ts";
import type { Tables } from "../db/tables.ts";
import { createNumberIds } from "./number-ids.ts";

export type IdModel = "user" | "session" | "account" | "verification";

/** Makes the id of a row that is to be written. */
export type NewId = (model: IdModel) => Promise<string>;

const idLength = 32;

/** Numbers of a sequence or what the application's function gives, where the options say so; else random text. */
export const createNewId = (
  options: Pick<IdentityConfig["database"], "generateId" | "useNumberId">,
  db: Kysely<Tables>,
): NewId => {
  const { generateId } = options;
  if (options.useNumberId) return createNumberIds(db);
  return async (model) =>
    (generateId ? generateId({ model, size: idLength }) : undefined) ??
    randomToken(idLength, "alphanumeric");
};
