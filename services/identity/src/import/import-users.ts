import {
  appendEvents,
  createTableImporter,
  forgetImported,
  type GivenRow,
  insertImported,
  type SourceBatch,
  importBatch,
  type ImportedBatch,
  type Importer,
  importTransaction,
  updateImported,
} from "@latchkey/service-kit";
import { WireError } from "@latchkey/contracts";
import { operatorActor, operatorCaller } from "../admin/operator-caller.ts";
import type { Deps } from "../deps.ts";
import { advanceRevision } from "../user-revisions/advance-revision.ts";
import { eraseUser, type EraseUserNeeds } from "../users/erase-user.ts";
import type { UserRow } from "../users/user-row.ts";
import type { GivenUser } from "./given.ts";
import { listLostUsers, listUserRows, importedUsers } from "./queries.ts";
import { planUsers, type UserToImport } from "./read-user.ts";

type Needs = EraseUserNeeds & Pick<Deps, "fields">;
type Batch = SourceBatch<GivenUser>;
type Banned = Pick<UserRow, "id" | "banned" | "banExpires" | "revision">;

const toldOf = ({ id: userId, revision, banned, banExpires }: Banned) => ({
  userId,
  revision,
  banned,
  banExpires: banExpires?.toISOString() ?? null,
});

const insert = (deps: Needs, rows: GivenRow<UserToImport>[], { source, model }: Batch) =>
  importTransaction(deps.db, async (trx) => {
    const inserted = await insertImported(trx, importedUsers, { source, model, rows });
    const banned = rows
      .filter(({ key, values }) => values.banned && inserted.has(key))
      .map(({ key }) => key);
    if (banned.length > 0) {
      const data = (await listUserRows(trx, banned)).map(toldOf);
      await appendEvents(trx, deps, { name: "user.ban-changed", data });
    }
    return inserted;
  });

/** Updates users and their sessions as any other change does: if the process dies before, the event updates the sessions. */
const update = async (deps: Needs, rows: GivenRow<UserToImport>[], { source, model }: Batch) => {
  const { updated, users } = await importTransaction(deps.db, async (trx) => {
    const before = new Map(
      (
        await listUserRows(
          trx,
          rows.map(({ key }) => key),
        )
      ).map((user) => [user.id, user]),
    );
    const updated = await updateImported(trx, importedUsers, { source, model, rows });
    const users = await listUserRows(trx, [...updated]);
    for (const { id: userId, revision } of users)
      await advanceRevision(deps, trx, { userId, caller: undefined, revision });
    const changed = users.map(({ id: userId }) => ({ userId }));
    await appendEvents(trx, deps, { name: "user.updated", data: changed });
    const isNews = (user: UserRow) =>
      before.get(user.id)?.banned !== user.banned ||
      before.get(user.id)?.banExpires?.getTime() !== user.banExpires?.getTime();
    await appendEvents(trx, deps, {
      name: "user.ban-changed",
      data: users.filter(isNews).map(toldOf),
    });
    return { updated, users };
  });
  if (deps.sessions.storesUserSnapshots)
    for (const user of users) await deps.sessions.renewUser(user);
  return updated;
};

/** Deletes a user who was deleted in the source, as a user's own deletion does. The last admin stays. */
const erase = async (deps: Needs, userId: string): Promise<boolean> => {
  const caller = operatorCaller(deps, "import");
  try {
    return await eraseUser(deps, { userId, caller, actor: operatorActor });
  } catch (error) {
    if (error instanceof WireError) return false;
    throw error;
  }
};

const removedHere = "it was removed here since: nothing more of it is brought";
const provenHere = "who has its address has proven so here since: nothing more of it is brought";

/**
 * Leaves out users who were deleted here, or claimed by another. They still exist in the source, where the former holder
 * may create sessions, keys and other sign-in methods. None of those may be imported.
 */
const leaveLost = async (
  { db }: Needs,
  batch: Batch,
  taken: ImportedBatch,
): Promise<ImportedBatch> => {
  const { source, model, rows } = batch;
  const lost = await listLostUsers(db, { source, model, keys: rows.map(({ key }) => key) });
  const keys = new Set(lost.map(({ key }) => key));
  const others = taken.left.filter(({ key }) => !keys.has(key));
  const notes = lost.map(({ key, isGone }) => ({ key, reason: isGone ? removedHere : provenHere }));
  const alreadyLeft = taken.left.length - others.length;
  return { ...taken, same: taken.same - (lost.length - alreadyLeft), left: [...others, ...notes] };
};

/** Imports users. */
export const importUsers = async (deps: Needs, batch: Batch): Promise<ImportedBatch> => {
  const { untouched } = createTableImporter(deps.db, importedUsers);
  const importer: Importer<GivenUser, UserToImport> = {
    plan: (given, known) => planUsers(deps, given, { known, batch }),
    insert: (rows) => insert(deps, rows, batch),
    update: (rows) => update(deps, rows, batch),
    remove: async (keys) => {
      const removed = new Set<string>();
      for (const key of await untouched(keys, batch)) if (await erase(deps, key)) removed.add(key);
      const { source, model } = batch;
      await forgetImported(deps.db, { source, model, keys });
      return removed;
    },
    untouched,
  };
  return leaveLost(deps, batch, await importBatch(deps, importer, batch));
};
