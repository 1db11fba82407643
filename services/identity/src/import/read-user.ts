import { imageLengthMax, isEmailAddress, splitRoles } from "@latchkey/contracts";
import {
  type GivenRow,
  idLengthMax,
  readGiven,
  type SourceBatch,
  type ImportNote,
  type ImportPlan,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import type { FieldValues } from "../fields/field-set.ts";
import { checkUsername, normaliseUsername } from "../users/username-rules.ts";
import { type GivenUser, importedColumns } from "./given.ts";
import { listUserClaims } from "./queries.ts";
import { readExtra } from "./read-values.ts";

type Needs = Pick<Deps, "clock" | "config" | "db" | "fields">;

const textLengthMax = 10_000;

/** Keeps only configured roles. */
const readRole = (
  { config: { admin } }: Needs,
  { id, role: given }: GivenUser,
  note: (reason: string) => void,
) => {
  const names = [...new Set(splitRoles(given ?? ""))];
  const isKnown = (name: string) => name === admin.defaultRole || Object.hasOwn(admin.roles, name);
  for (const name of names.filter((name) => !isKnown(name)))
    note(`its role ${JSON.stringify(name.slice(0, 64))} is not one of admin.roles`);
  const known = names.filter(isKnown);
  // In the source application, users may have been able to choose their role.
  if (admin.adminUserIds.includes(id) || known.some((name) => admin.adminRoles.includes(name)))
    note("it is an admin here");
  return known.join(",") || admin.defaultRole;
};

const readUsername = async (
  { config }: Needs,
  given: string | null,
  note: (reason: string) => void,
): Promise<string | null> => {
  if (!given) return null;
  try {
    const username = normaliseUsername(config.username, given);
    await checkUsername(config.username, username);
    return username;
  } catch {
    note("its username is not one that the options allow");
    return null;
  }
};

const readUser = async (
  deps: Needs,
  { values }: GivenRow<GivenUser>,
  { defaults, note }: { defaults: FieldValues; note: (reason: string) => void },
) => {
  if (values.id.length > idLengthMax || values.id === "") return "its id is too long";
  if (!isEmailAddress(values.email)) return "its e-mail address is none";
  const { extra, unfit } = readExtra(deps.config.additionalFields.user, values.extra, defaults);
  for (const name of unfit) note(`its ${name} is not of the type of the additional field`);
  const isImageLong = (values.image?.length ?? 0) > imageLengthMax;
  if (isImageLong) note("its image is too long");
  const read = readGiven(importedColumns.user, values, textLengthMax);
  const createdAt = read.createdAt ?? new Date(deps.clock());
  const username = await readUsername(deps, values.username, note);
  return {
    ...read,
    id: values.id,
    name: read.name ?? "",
    email: values.email.toLowerCase(),
    emailVerified: read.emailVerified ?? false,
    image: isImageLong ? null : read.image,
    username,
    displayUsername: username === null ? null : (read.displayUsername ?? read.username),
    role: readRole(deps, values, note),
    extra,
    createdAt,
    updatedAt: read.updatedAt ?? createdAt,
  };
};

/** A user's row to write. */
export type UserToImport = Exclude<Awaited<ReturnType<typeof readUser>>, string>;

/** Returns which users hold the unique values: in this database, and among the rows read before. */
const createClaims = async ({ db }: Needs, users: readonly UserToImport[]) => {
  const held = await listUserClaims(db, {
    ids: users.map(({ id }) => id),
    emails: users.map(({ email }) => email),
    usernames: users.flatMap(({ username }) => (username === null ? [] : [username])),
  });
  const ids = new Set(held.map(({ id }) => id));
  const emails = new Map(held.map(({ email, id }) => [email, id]));
  const usernames = new Map(held.map(({ username, id }) => [username, id]));
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
  };
};

/** Reads users and reports which of them cannot be imported, or only in part. */
export const planUsers = async (
  deps: Needs,
  given: readonly GivenRow<GivenUser>[],
  { known, batch }: { known: ReadonlySet<string>; batch: Pick<SourceBatch<GivenUser>, "claim"> },
): Promise<ImportPlan<UserToImport>> => {
  const plan: ImportPlan<UserToImport> = { rows: [], left: [], noted: [] };
  const defaults = await deps.fields.user.defaults();
  const readable: GivenRow<UserToImport>[] = [];
  const notes: ImportNote[] = plan.noted;
  for (const one of given.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
    const note = (reason: string) => notes.push({ key: one.key, reason });
    const user = await readUser(deps, one, { defaults, note });
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
      leave("another user has its e-mail address here");
    else {
      const isFree =
        claims.username(values) &&
        (values.username === null || batch.claim(`username ${values.username}`));
      if (!isFree) notes.push({ key, reason: "another user has its username here" });
      plan.rows.push({ key, hash, values: isFree ? values : { ...values, username: null } });
    }
  }
  return plan;
};
