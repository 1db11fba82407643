import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, readUncounted } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { refusalList } from "./queries.ts";

type AdminListRefusedSignIns = typeof operations.identity.adminListRefusedSignIns;
const dayLength = "YYYY-MM-DD".length;
const dayMilliseconds = 86_400_000;

/** Returns the exclusive end of an inclusive time or day. */
const endOf = (to: string): Date =>
  new Date(Date.parse(to) + (to.length === dayLength ? dayMilliseconds : 1));

/** Returns a page of the refused sign-ins, latest first. Throws `VALIDATION_ERROR` for an invalid limit or cursor. */
export const listRefusedSignIns = async (
  { db }: Pick<Deps, "db">,
  { query: { from, to, ...query } }: Call<AdminListRefusedSignIns>,
): Promise<Answer<OperationReply<AdminListRefusedSignIns>>> => {
  const { rows, ...next } = await readUncounted(db, refusalList, {
    ...query,
    from: from === undefined ? undefined : new Date(from),
    until: to === undefined ? undefined : endOf(to),
  });
  const refusedSignIns = rows.map((row) => Object.assign(row, { id: String(row.id) }));
  return { reply: { refusedSignIns, ...next } };
};
