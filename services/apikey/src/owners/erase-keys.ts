import { appendAudits } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { ownerOf } from "../keys/key-owner.ts";
import { deleteCreatedKeys } from "./created-keys.ts";
import { deleteKeysOf, type KeysOf } from "./queries.ts";

/** The number of keys per statement. */
export const batchSize = 1_000;

const actor = { kind: "system" } as const;
const action = "api-key.deleted";

/** Deletes some keys of an owner, with an audit entry for each. Returns how many there were. */
export const eraseKeys = (deps: Pick<Deps, "clock" | "db">, keys: KeysOf): Promise<number> =>
  deps.db.transaction().execute(async (trx) => {
    const ids = await deleteKeysOf(trx, keys);
    const before = keys.owner;
    const entries = ids.map((id) => ({ actor, subject: { kind: "api-key", id }, action, before }));
    await appendAudits(trx, deps, entries);
    return ids.length;
  });

/** Deletes some keys of organizations that a user created, with an audit entry for each. Returns how many there were. */
export const eraseCreatedKeys = (
  deps: Pick<Deps, "clock" | "db">,
  created: Parameters<typeof deleteCreatedKeys>[1],
): Promise<number> =>
  deps.db.transaction().execute(async (trx) => {
    const keys = await deleteCreatedKeys(trx, created);
    const entries = keys.map(({ id, ...owner }) => {
      return { actor, subject: { kind: "api-key", id }, action, before: ownerOf(owner) };
    });
    await appendAudits(trx, deps, entries);
    return keys.length;
  });
