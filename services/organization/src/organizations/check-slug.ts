import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { isSlugTaken } from "./queries.ts";

type CheckSlug = typeof operations.organization.checkSlug;

/** Confirms that a slug is free at this moment. Throws `SLUG_IS_TAKEN`. */
export const checkSlug = async (
  { db }: Pick<Deps, "db">,
  { body: { slug } }: Call<CheckSlug>,
): Promise<Answer<OperationReply<CheckSlug>>> => {
  if (await isSlugTaken(db, slug)) throw new WireError("SLUG_IS_TAKEN");
  return { reply: { status: true } };
};
