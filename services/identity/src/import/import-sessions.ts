import { hash } from "node:crypto";
import { hashToken, seal } from "@latchkey/crypto";
import {
  forgetImported,
  type GivenRow,
  idLengthMax,
  listKept,
  recordImported,
  readGiven,
  type SourceBatch,
  importBatch,
  type ImportedBatch,
  type ImportPlan,
} from "@latchkey/service-kit/import";
import { operatorActor, operatorCaller } from "../admin/operator.ts";
import type { Deps } from "../deps.ts";
import { type FieldValues, readExtra } from "@latchkey/service-kit/fields";
import { unrememberedSeconds } from "../sessions/create-session.ts";
import { sessionTokenPurpose } from "../sessions/session-rules.ts";
import type { FoundSession, StoredSession } from "../sessions/store/session-store.ts";
import { type UserRow, isBanned } from "../users/user-row.ts";
import { type GivenSession, importedColumns } from "./imported-rows.ts";
import { listClaimedUserIds, listUserRows } from "./queries.ts";
import { missingUser } from "./import-accounts.ts";

type Needs = Pick<Deps, "clock" | "config" | "db" | "fields" | "newEventId" | "ring" | "sessions">;
type Batch = SourceBatch<GivenSession>;
type Rows = GivenRow<StoredSession>[];

const textLengthMax = 2_048;
/** Number of sessions that are changed concurrently. */
const atOnce = 16;

/** Returns the state of a session that its use changes, as a UUID. */
const stateOf = (session: StoredSession): string => {
  const { updatedAt, expiresAt, activeOrganizationId, activeTeamId } = session;
  const place = `${activeOrganizationId ?? ""}${activeTeamId ? ` ${activeTeamId}` : ""}`;
  const state = `${updatedAt.getTime()} ${expiresAt.getTime()} ${place}`;
  return hash("sha256", state)
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
};

/** The source has no such flag, but an unremembered session there lasts one day from its start. */
const isRemembered = (
  deps: Needs,
  { createdAt, expiresAt }: { createdAt: Date; expiresAt: Date },
) =>
  deps.config.session.expiresIn <= unrememberedSeconds ||
  expiresAt.getTime() - createdAt.getTime() > unrememberedSeconds * 1000;

const readSession = (
  deps: Needs,
  { values }: GivenRow<GivenSession>,
  defaults: FieldValues,
): StoredSession | string => {
  const { id, token, userId } = values;
  const { token: _, ...read } = readGiven(importedColumns.session, values, textLengthMax);
  const { expiresAt } = read;
  if (!expiresAt || expiresAt.getTime() <= deps.clock()) return "it has expired";
  if (values.isUserBanned) return "its user is banned";
  if (!token || !userId || [id, token].some((text) => text.length > idLengthMax))
    return "its id or token is missing or too long";
  const createdAt = read.createdAt ?? new Date(deps.clock());
  const fields = deps.config.additionalFields.session;
  return {
    ...read,
    id,
    tokenHash: hashToken(token),
    tokenSealed: seal(deps.ring, sessionTokenPurpose, token),
    userId,
    expiresAt,
    ipAddress: read.ipAddress ?? "",
    userAgent: read.userAgent ?? "",
    createdAt,
    updatedAt: read.updatedAt ?? createdAt,
    impersonationReason: null,
    remembered: isRemembered(deps, { createdAt, expiresAt }),
    extra: readExtra(fields, { given: values.extra, defaults, note: () => {} }),
  };
};

const plan = async (deps: Needs, given: readonly GivenRow<GivenSession>[], batch: Batch) => {
  const made: ImportPlan<StoredSession> = { rows: [], left: [], noted: [] };
  const defaults = await deps.fields.session.defaults();
  for (const one of given) {
    const { key, hash, values } = one;
    const read = missingUser(values, batch) ?? readSession(deps, one, defaults);
    if (typeof read === "string") made.left.push({ key, reason: read });
    else made.rows.push({ key, hash, values: read });
  }
  return made;
};

/** Returns the users of sessions, without those who were claimed here: no session of the former holder may be imported. */
const usersOf = async ({ db }: Needs, rows: Rows): Promise<Map<string, UserRow>> => {
  const ids = new Set(rows.map(({ values }) => values.userId));
  const claimed = await listClaimedUserIds(db, [...ids]);
  const users = (await listUserRows(db, [...ids])).filter(({ id }) => !claimed.has(id));
  return new Map(users.map((user) => [user.id, user]));
};

/** Renews the user snapshots of new sessions, which changes of the user have missed while the sessions were inserted. */
const catchUp = async (deps: Needs, rows: Rows, users: ReadonlyMap<string, UserRow>) => {
  const current = await usersOf(deps, rows);
  for (const user of current.values())
    if (user.revision > (users.get(user.id)?.revision ?? 0)) await deps.sessions.renewUser(user);
  for (const { values } of rows) {
    const user = current.get(values.userId);
    if (!user || isBanned(user, deps.clock())) await revoke(deps, values);
  }
};

const revoke = (deps: Needs, session: StoredSession): Promise<boolean> =>
  deps.sessions.revoke(session, {
    actor: operatorActor,
    subject: { kind: "session", id: session.id },
    action: "session.revoked",
    caller: operatorCaller(deps, "import"),
  });

const insert = async (deps: Needs, rows: Rows, batch: Batch): Promise<Set<string>> => {
  const users = await usersOf(deps, rows);
  const importable = rows.flatMap((row): (GivenRow<StoredSession> & FoundSession)[] => {
    const user = users.get(row.values.userId);
    return user && !isBanned(user, deps.clock()) ? [{ ...row, session: row.values, user }] : [];
  });
  const imported = new Set<string>();
  await deps.sessions.insertImported(importable, async (trx, hashes) => {
    const noted = importable.filter(({ key }) => hashes.has(key));
    for (const { key } of noted) imported.add(key);
    const records = noted.map(({ key, hash, session }) => ({
      key,
      given: hash,
      kept: stateOf(session),
    }));
    await recordImported(trx, batch, records);
  });
  if (deps.sessions.storesUserSnapshots) await catchUp(deps, importable, users);
  return imported;
};

/**
 * Calls a function with each session that is unchanged since its import. Returns the keys of those for which it
 * succeeded.
 */
const withUntouched = async (
  deps: Needs,
  keys: readonly string[],
  { batch, work }: { batch: Batch; work: (session: StoredSession) => Promise<unknown> },
): Promise<Set<string>> => {
  const { source, model } = batch;
  const storedStates = await listKept(deps.db, { source, model, keys });
  const done = new Set<string>();
  const one = async (key: string) => {
    const stored = await deps.sessions.find(Buffer.from(key, "hex"));
    if (!stored || stateOf(stored.session) !== storedStates.get(key)) return;
    await work(stored.session);
    done.add(key);
  };
  for (let from = 0; from < keys.length; from += atOnce)
    await Promise.all(keys.slice(from, from + atOnce).map(one));
  return done;
};

const update = async (deps: Needs, rows: Rows, batch: Batch): Promise<Set<string>> => {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const work = async (session: StoredSession) => {
    const row = byKey.get(session.tokenHash.toString("hex"));
    if (!row) return;
    const { expiresAt, updatedAt, tokenSealed, activeOrganizationId, activeTeamId } = row.values;
    await deps.sessions.extend(session.tokenHash, session, { expiresAt, updatedAt, tokenSealed });
    const place = activeOrganizationId
      ? { organizationId: activeOrganizationId, teamId: activeTeamId ?? undefined }
      : null;
    if (
      session.activeOrganizationId !== activeOrganizationId ||
      session.activeTeamId !== activeTeamId
    )
      await deps.sessions.chooseOrganization(session, place);
  };
  const done = await withUntouched(deps, [...byKey.keys()], { batch, work });
  const changed = rows.filter(({ key }) => done.has(key));
  const records = changed.map(({ key, hash, values }) => ({
    key,
    given: hash,
    kept: stateOf(values),
  }));
  await recordImported(deps.db, batch, records);
  return done;
};

const remove = async (deps: Needs, keys: string[], batch: Batch): Promise<Set<string>> => {
  const work = (session: StoredSession) => revoke(deps, session);
  const removed = await withUntouched(deps, keys, { batch, work });
  const { source, model } = batch;
  await forgetImported(deps.db, { source, model, keys });
  return removed;
};

/** Imports live sessions into the configured store. Their cookies stay valid. */
export const importSessions = (deps: Needs, batch: Batch): Promise<ImportedBatch> =>
  importBatch(
    deps,
    {
      plan: (given) => plan(deps, given, batch),
      insert: (rows) => insert(deps, rows, batch),
      update: (rows) => update(deps, rows, batch),
      remove: (keys) => remove(deps, keys, batch),
      endsRefused: true,
      untouched: (keys) => withUntouched(deps, keys, { batch, work: async () => {} }),
    },
    batch,
  );
