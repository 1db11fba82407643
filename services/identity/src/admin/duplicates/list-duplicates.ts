import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Deps, Handler } from "../../deps.ts";
import { isPlaceholderEmail } from "../../users/email.ts";
import { findUser } from "../../users/find-users.ts";
import { listByMailbox, listByName, type Mailbox } from "./queries.ts";

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

/** Returns the users who may be the same person as a user: with the same mailbox, or with the same rare name. */
export const adminListDuplicates: Handler<"adminListDuplicates"> = async (
  deps: Pick<Deps, "db">,
  { params: { id } },
) => {
  const user = await findUser(deps, { id });
  if (!user) throw new WireError("USER_NOT_FOUND");
  const mailbox = mailboxOf(user.email);
  const name = user.name.trim();
  const [sharers, namesakes] = await Promise.all([
    mailbox ? listByMailbox(deps.db, { id, by: mailbox, limit: tagsMax }) : [],
    name ? listByName(deps.db, { id, by: user.name, limit: namesakesMax + 1 }) : [],
  ]);
  const duplicates = new Map<string, Duplicate>();
  sharers.sort((one, other) => (one.email < other.email ? -1 : 1));
  for (const row of sharers) duplicates.set(row.id, { user: row, reasons: ["same-mailbox"] });
  for (const row of namesakes.length > namesakesMax ? [] : namesakes) {
    const { reasons = [] } = duplicates.get(row.id) ?? {};
    duplicates.set(row.id, { user: row, reasons: [...reasons, "same-name"] });
  }
  return { reply: { duplicates: [...duplicates.values()] } };
};
