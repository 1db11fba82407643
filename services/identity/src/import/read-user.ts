import { imageLengthMax, normalizeEmail, splitRoles } from "@latchkey/contracts";
import { type FieldValues, readExtra } from "@latchkey/service-kit/fields";
import { type GivenRow, idLengthMax, readGiven } from "@latchkey/service-kit/import";
import type { Deps } from "../deps.ts";
import { parseNumber } from "../phone-numbers/read-number.ts";
import { checkUsername, normaliseUsername } from "../users/username-rules.ts";
import { type GivenUser, importedColumns } from "./imported-rows.ts";

type Needs = Pick<Deps, "clock" | "config">;

const textLengthMax = 10_000;

/** The role that every user of the source has by default. It becomes the default role here, which is no loss worth a note for each user. */
const sourceDefaultRole = "user";

/** Keeps only configured roles. */
const readRole = (
  { config: { admin } }: Needs,
  { id, role: given }: GivenUser,
  note: (reason: string) => void,
) => {
  const names = [...new Set(splitRoles(given ?? ""))].filter((name) => name !== "");
  const isKnown = (name: string) => name === admin.defaultRole || Object.hasOwn(admin.roles, name);
  const unknown = names.filter((name) => !isKnown(name) && name !== sourceDefaultRole);
  for (const name of unknown)
    note(`its role ${JSON.stringify(name.slice(0, 64))} is not one of admin.roles`);
  const knownRoles = names.filter(isKnown);
  // In the source application, users may have been able to choose their role.
  if (admin.adminUserIds.includes(id) || knownRoles.some((name) => admin.adminRoles.includes(name)))
    note("it is an admin here");
  return knownRoles.join(",") || admin.defaultRole;
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

/** Returns a number in the form in which it is stored here. */
const readPhoneNumber = async (
  { config }: Needs,
  given: string | null,
  note: (reason: string) => void,
): Promise<string | null> => {
  if (!given) return null;
  const parsed = config.phoneNumber.enabled ? await parseNumber(config, given) : undefined;
  if (!parsed) note("its phone number is not one that the options allow");
  return parsed?.number ?? null;
};

/** Reads a user of a source. Returns the reason if it cannot be imported. */
export const readUser = async (
  deps: Needs,
  { values }: GivenRow<GivenUser>,
  { defaults, note }: { defaults: FieldValues; note: (reason: string) => void },
) => {
  if (values.id.length > idLengthMax || values.id === "") return "its id is too long";
  const email = normalizeEmail(values.email);
  if (email === undefined) return "its email address is none";
  const input = { given: values.extra, defaults, note };
  const extra = readExtra(deps.config.additionalFields.user, input);
  const isImageLong = (values.image?.length ?? 0) > imageLengthMax;
  if (isImageLong) note("its image is too long");
  const read = readGiven(importedColumns.user, values, textLengthMax);
  const createdAt = read.createdAt ?? new Date(deps.clock());
  const username = await readUsername(deps, values.username, note);
  const phoneNumber = await readPhoneNumber(deps, values.phoneNumber, note);
  return {
    ...read,
    id: values.id,
    name: read.name ?? "",
    email,
    emailVerified: read.emailVerified ?? false,
    image: isImageLong ? null : read.image,
    username,
    displayUsername: username === null ? null : (read.displayUsername ?? read.username),
    phoneNumber,
    phoneNumberVerified: phoneNumber !== null && (read.phoneNumberVerified ?? false),
    role: readRole(deps, values, note),
    extra,
    createdAt,
    updatedAt: read.updatedAt ?? createdAt,
  };
};

/** A user's row to write. */
export type UserToImport = Exclude<Awaited<ReturnType<typeof readUser>>, string>;
