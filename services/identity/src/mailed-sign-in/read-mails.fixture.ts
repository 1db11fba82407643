import type { EventData, EventName } from "@latchkey/contracts";
import { unseal } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";

/** Returns the data of the mails of one kind to an address, oldest first. */
export const readMails = async <N extends EventName>(
  { db, ring }: Pick<Deps, "db" | "ring">,
  name: N,
  email: string,
): Promise<EventData<N>[]> => {
  const rows = await db
    .selectFrom("outbox")
    .select("data")
    .where("name", "=", name)
    // In the order of their insertion, because the clocks of tests stand still.
    .orderBy(db.dynamic.ref("ctid"))
    .execute();
  return rows
    .map(({ data }) => JSON.parse(unseal(ring, "event", data) ?? data) as EventData<N>)
    .filter((data) => "email" in data && data.email === email);
};
