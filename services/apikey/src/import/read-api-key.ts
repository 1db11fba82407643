import { operations } from "@latchkey/contracts";
import { withoutColumns } from "@latchkey/service-kit/database";
import { type GivenValues, idLengthMax, readGiven } from "@latchkey/service-kit/import";
import { apiKeyColumns } from "../db/tables.ts";
import type { Deps } from "../deps.ts";

/** The columns of each model that are written from another database. */
export const importedColumns = {
  apikey: withoutColumns(
    apiKeyColumns,
    "createdBy",
    "disabledByAdmin",
    "lifetimeFrom",
    "lifetimeLocked",
    "secondFactor",
    "sessionSince",
    "successorId",
  ),
};

/** A key of another database. Two owners are set if their id is that of a user and that of an organization. */
export interface GivenApiKey extends GivenValues<typeof importedColumns.apikey> {
  /** Whether the other database has that user. */
  hasUser: boolean | null;
  /** Whether the refill interval is in milliseconds instead of days. */
  refillsByMilliseconds: boolean | null;
}

const dayMilliseconds = 86_400_000;
const wordLengthMax = 1_000;
const countMax = 2_147_483_647;
const refillDaysMax = 36_500;
const windowMax = 31_536_000_000;

/** SHA-256 in base64url, the default storage form of both databases. */
const hashForm = /^[A-Za-z0-9_-]{43}$/;

const { permissions: permissionsSchema } = operations.apikey.createApiKeyFor.body.shape;

type Note = (reason: string) => void;

/** Returns a whole number if it is in range, else null. */
const within = (value: number | null, min: number, max: number): number | null =>
  value !== null && Number.isInteger(value) && value >= min && value <= max ? value : null;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Parses JSON, also JSON within JSON. Returns undefined for invalid JSON. */
const readJson = (text: string | null): unknown => {
  if (text === null || text === "") return null;
  const value = parse(text);
  return typeof value === "string" ? parse(value) : value;
};

/** Returns undefined if they cannot be stored. Such a key is not imported, because without permissions it could do anything. */
const readPermissions = (text: string | null): object | null | undefined => {
  const value = readJson(text);
  if (value === null) return null;
  const { success, data } = permissionsSchema.safeParse(value);
  return success ? (data ?? undefined) : undefined;
};

const readMetadata = (text: string | null, note: Note): string | null => {
  const value = readJson(text);
  if (value === null) return null;
  if (typeof value === "object") return JSON.stringify(value);
  note("its metadata is no JSON of an object");
  return null;
};

const readRefill = (given: GivenApiKey, note: Note) => {
  const { refillInterval: interval, refillAmount: amount } = given;
  const none = { refillInterval: null, refillAmount: null };
  if (!interval || !amount) return none;
  const isInDays = !given.refillsByMilliseconds && interval <= refillDaysMax;
  const days = isInDays ? interval : Math.ceil(interval / dayMilliseconds);
  if (!isInDays && interval % dayMilliseconds !== 0)
    note(`its refill interval is rounded to ${days} days`);
  const refillInterval = within(days, 1, refillDaysMax);
  const refillAmount = within(amount, 1, countMax);
  return refillInterval && refillAmount ? { refillInterval, refillAmount } : none;
};

const readRateLimit = (given: GivenApiKey, note: Note) => {
  const rateLimitTimeWindow = within(given.rateLimitTimeWindow, 1, windowMax);
  const rateLimitMax = within(given.rateLimitMax, 1, countMax);
  if (rateLimitTimeWindow !== given.rateLimitTimeWindow || rateLimitMax !== given.rateLimitMax)
    note("its rate limit is none that can be kept");
  return {
    rateLimitEnabled: given.rateLimitEnabled ?? true,
    rateLimitTimeWindow,
    rateLimitMax,
    requestCount: within(given.requestCount, 0, Number.MAX_SAFE_INTEGER) ?? 0,
  };
};

const refusalOf = ({ config, clock }: Needs, given: GivenApiKey): string | undefined => {
  const { id, key, expiresAt } = given;
  if (id.length > idLengthMax) return "its id is too long";
  if (!key || !(hashForm.test(key) || config.apiKey.disableKeyHashing))
    return "it is not stored as the hash that is the default";
  if (key.length > wordLengthMax) return "its key is too long";
  return expiresAt !== null && expiresAt <= clock() ? "it has expired" : undefined;
};

type Needs = Pick<Deps, "clock" | "config">;

/** Returns the row of a key, or the reason why it cannot be imported. */
export const readApiKey = (deps: Needs, given: GivenApiKey, note: Note) => {
  const refusal = refusalOf(deps, given);
  if (refusal !== undefined) return refusal;
  const permissions = readPermissions(given.permissions);
  if (permissions === undefined) return "its permissions cannot be read";
  const remaining = within(given.remaining, 0, countMax);
  if (remaining !== given.remaining) return "its remaining uses cannot be read";
  const read = readGiven(importedColumns.apikey, given, wordLengthMax);
  const createdAt = read.createdAt ?? new Date(deps.clock());
  return {
    ...read,
    id: given.id,
    key: given.key ?? "",
    ...readRefill(given, note),
    enabled: given.enabled ?? true,
    ...readRateLimit(given, note),
    remaining,
    createdAt,
    updatedAt: read.updatedAt ?? createdAt,
    permissions,
    metadata: readMetadata(given.metadata, note),
  };
};
