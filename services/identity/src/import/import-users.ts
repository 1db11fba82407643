import { WireError } from "@latchkey/contracts";
import { appendEvents } from "@latchkey/service-kit/events";
import {
  type GivenRow,
  type SourceBatch,
  type ImportNote,
  type ImportPlan,
  createTableImporter,
  forgetImported,
  insertImported,
  importBatch,
  type ImportedBatch,
  type Importer,
  importTransaction,
  listUntouched,
  updateImported,
} from "@latchkey/service-kit/import";
import type { Transaction } from "kysely";
import type { Deps } from "../deps.ts";
import type { GivenUser } from "./imported-rows.ts";
import { readUser, type UserToImport } from "./read-user.ts";
import { listUserClaims, listLostUsers, listUserRows, importedUsers } from "./queries.ts";
import { operatorActor, operatorCaller } from "../admin/operator.ts";
import type { Tables } from "../db/tables.ts";
import { endAccess } from "../access/end-access.ts";
import { advanceRevision } from "../user-revisions/advance-revision.ts";
import { eraseUser, type EraseUserNeeds } from "../profile/delete-user.ts";
import { recordImportedGuests } from "../users/guests/queries.ts";
import { lockUser } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";

type Needs = Pick<Deps, "clock" | "config" | "db" | "fields">;

/** Returns which users hold the unique values: in this database, and among the rows read before. */
const createClaims = async ({ db }: Needs, users: readonly UserToImport[]) => {
  const claims = await listUserClaims(db, {
    ids: users.map(({ id }) => id),
    emails: users.map(({ email }) => email),
    usernames: users.flatMap(({ username }) => (username === null ? [] : [username])),
    phoneNumbers: users.flatMap(({ phoneNumber }) => (phoneNumber === null ? [] : [phoneNumber])),
  });
  const ids = new Set(claims.map(({ id }) => id));
  const emails = new Map(claims.map(({ email, id }) => [email, id]));
  const usernames = new Map(claims.map(({ username, id }) => [username, id]));
  const numbers = new Map(claims.map(({ phoneNumber, id }) => [phoneNumber, id]));
  const take = <Name extends string | null>(of: Map<Name, string>, value: Name, id: string) => {
    const holder = of.get(value) ?? id;
    of.set(value, holder);
    return holder === id;
  };
  return {
    hasId: (id: string) => ids.has(id),
    email: ({ email, id }: UserToImport) => take(emails, email, id),
    username: ({ username, id }: UserToImport) =>
      username === null || take(usernames, username, id),
    phoneNumber: ({ phoneNumber, id }: UserToImport) =>
      phoneNumber === null || take(numbers, phoneNumber, id),
  };
};

interface Freeing {
  claims: Pick<Awaited<ReturnType<typeof createClaims>>, "phoneNumber" | "username">;
  batch: Pick<SourceBatch<GivenUser>, "claim">;
  addNote: (reason: string) => void;
}

/** Returns the values of a user without a username and a phone number that another user has. */
const freeValues = (values: UserToImport, { claims, batch, addNote }: Freeing): UserToImport => {
  const { username, phoneNumber } = values;
  const hasUsername =
    claims.username(values) && (username === null || batch.claim(`username ${username}`));
  if (!hasUsername) addNote("another user has its username here");
  const hasNumber =
    claims.phoneNumber(values) &&
    (phoneNumber === null || batch.claim(`phone number ${phoneNumber}`));
  if (!hasNumber) addNote("another user has its phone number here");
  return {
    ...values,
    ...(!hasUsername && { username: null }),
    ...(!hasNumber && { phoneNumber: null, phoneNumberVerified: false }),
  };
};

/** Reads users and reports which of them cannot be imported, or only in part. */
const planUsers = async (
  deps: Needs,
  given: readonly GivenRow<GivenUser>[],
  { known, batch }: { known: ReadonlySet<string>; batch: Pick<SourceBatch<GivenUser>, "claim"> },
): Promise<ImportPlan<UserToImport>> => {
  const plan: ImportPlan<UserToImport> = { rows: [], left: [], noted: [] };
  const defaults = await deps.fields.user.defaults();
  const readable: GivenRow<UserToImport>[] = [];
  const importNotes: ImportNote[] = plan.noted;
  for (const one of given.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
    const addNote = (reason: string) => importNotes.push({ key: one.key, reason });
    const user = await readUser(deps, one, { defaults, note: addNote });
    if (typeof user === "string") plan.left.push({ key: one.key, reason: user });
    else readable.push({ ...one, values: user });
  }
  const claims = await createClaims(
    deps,
    readable.map(({ values }) => values),
  );
  for (const { key, hash, values } of readable) {
    const leave = (reason: string) => plan.left.push({ key, reason });
    if (claims.hasId(values.id) && !known.has(key)) leave("another user has its id here");
    else if (!claims.email(values) || !batch.claim(`email ${values.email}`))
      leave("another user has its email address here");
    else {
      const addNote = (reason: string) => importNotes.push({ key, reason });
      plan.rows.push({ key, hash, values: freeValues(values, { claims, batch, addNote }) });
    }
  }
  return plan;
};

type ImportUsersNeeds = EraseUserNeeds & Pick<Deps, "fields">;
type Batch = SourceBatch<GivenUser>;
type Banned = Pick<UserRow, "id" | "banned" | "banExpires" | "revision">;

const toldOf = ({ id: userId, revision, banned, banExpires }: Banned) => ({
  userId,
  revision,
  banned,
  banExpires: banExpires?.toISOString() ?? null,
});

const insert = (deps: ImportUsersNeeds, rows: GivenRow<UserToImport>[], { source, model }: Batch) =>
  importTransaction(deps.db, async (trx) => {
    const inserted = await insertImported(trx, importedUsers, { source, model, rows });
    const guests = rows.filter(({ key, values }) => values.isAnonymous && inserted.has(key));
    const now = new Date(deps.clock());
    await recordImportedGuests(trx, { userIds: guests.map(({ key }) => key), now });
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
const update = async (
  deps: ImportUsersNeeds,
  rows: GivenRow<UserToImport>[],
  { source, model }: Batch,
) => {
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
    const wereGuests = users.filter(
      ({ id, isAnonymous }) => isAnonymous || before.get(id)?.isAnonymous,
    );
    const now = new Date(deps.clock());
    await recordImportedGuests(trx, { userIds: wereGuests.map(({ id }) => id), now });
    for (const { id: userId, revision, email } of users) {
      await advanceRevision(deps, trx, { userId, caller: undefined, revision });
      const formerEmail = before.get(userId)?.email;
      if (formerEmail !== undefined && formerEmail !== email)
        await endAccess(trx, deps, { userId, formerEmail, fact: "user.email-replaced" });
    }
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

/** Rolls back a deletion, because the user was changed or claimed here. */
class ChangedHere extends Error {}

/** Deletes a user who was deleted in the source, as a user's own deletion does. The last admin stays. */
const erase = async (
  deps: ImportUsersNeeds,
  userId: string,
  { source, model }: Batch,
): Promise<boolean> => {
  const caller = operatorCaller(deps, "import");
  const within = async (trx: Transaction<Tables>) => {
    await lockUser(trx, userId);
    const untouched = await listUntouched(trx, importedUsers, { source, model, keys: [userId] });
    if (!untouched.has(userId)) throw new ChangedHere();
  };
  try {
    return await eraseUser(deps, { userId, caller, actor: operatorActor, within });
  } catch (error) {
    if (error instanceof WireError || error instanceof ChangedHere) return false;
    throw error;
  }
};

const removedHere = "it was removed here since: nothing more of it is imported";
const provenHere = "its address was proven here since: nothing more of it is imported";

/**
 * Returns the users who were deleted here, or claimed by another. They still exist in the source, where the former holder
 * may change them, and create sessions, keys and other sign-in methods. None of that may be imported.
 */
const listLost = async (
  { db }: ImportUsersNeeds,
  { source, model, rows }: Batch,
): Promise<ImportNote[]> => {
  const lost = await listLostUsers(db, { source, model, keys: rows.map(({ key }) => key) });
  return lost.map(({ key, isGone }) => ({ key, reason: isGone ? removedHere : provenHere }));
};

/** Imports users. */
export const importUsers = (deps: ImportUsersNeeds, batch: Batch): Promise<ImportedBatch> => {
  const { untouched } = createTableImporter(deps.db, importedUsers);
  const importer: Importer<GivenUser, UserToImport> = {
    listLost: () => listLost(deps, batch),
    plan: (given, known) => planUsers(deps, given, { known, batch }),
    insert: (rows) => insert(deps, rows, batch),
    update: (rows) => update(deps, rows, batch),
    remove: async (keys) => {
      const removed = new Set<string>();
      for (const key of await untouched(keys, batch))
        if (await erase(deps, key, batch)) removed.add(key);
      const { source, model } = batch;
      await forgetImported(deps.db, { source, model, keys });
      return removed;
    },
    untouched,
  };
  return importBatch(deps, importer, batch);
};
