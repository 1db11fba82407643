import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Deps, Handler } from "../../deps.ts";
import { isPlaceholderEmail } from "../../users/email.ts";
import { findUser } from "../../users/find-users.ts";
import { listByMailbox, listByName, listMerges, type Mailbox } from "./queries.ts";

type Duplicate = OperationReply<
  typeof operations.identity.adminListDuplicates
>["duplicates"][number];

/** A name that more users share says nothing about them. */
const namesakesMax = 5;
const tagsMax = 20;

/** Returns the mailbox of an address. Undefined for an address that receives no mail. */
const mailboxOf = (email: string): Mailbox | undefined => {
  const at = email.lastIndexOf("@");
  const [local = ""] = email.slice(0, at).split("+");
  return local && !isPlaceholderEmail(email) ? { local, domain: email.slice(at + 1) } : undefined;
};

/**
 * Returns the users who may be the same person as a user: those with the same mailbox or the same rare name. Returns the merges of the user
 * that can be undone, too.
 */
export const adminListDuplicates: Handler<"adminListDuplicates"> = async (
  deps: Pick<Deps, "clock" | "db">,
  { params: { id } },
) => {
  const user = await findUser(deps, { id });
  if (!user) throw new WireError("USER_NOT_FOUND");
  const mailbox = mailboxOf(user.email);
  const name = user.name.trim();
  const [sharers, namesakes, merges] = await Promise.all([
    mailbox ? listByMailbox(deps.db, { id, by: mailbox, limit: tagsMax }) : [],
    name ? listByName(deps.db, { id, by: user.name, limit: namesakesMax + 1 }) : [],
    listMerges(deps.db, id, new Date(deps.clock())),
  ]);
  const duplicates = new Map<string, Duplicate>();
  sharers.sort((one, other) => (one.email < other.email ? -1 : 1));
  for (const row of sharers) duplicates.set(row.id, { user: row, reasons: ["same-mailbox"] });
  for (const row of namesakes.length > namesakesMax ? [] : namesakes) {
    const { reasons = [] } = duplicates.get(row.id) ?? {};
    duplicates.set(row.id, { user: row, reasons: [...reasons, "same-name"] });
  }
  // They are known to be the same person.
  for (const { userId, mergedUserId } of merges)
    for (const other of [userId, mergedUserId]) duplicates.delete(other);
  return { reply: { duplicates: [...duplicates.values()], merges } };
};
