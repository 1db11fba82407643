import type { EventApiKey, RecordedEvent } from "@latchkey/contracts";
import type { AuditedChange } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";

type Owner = { userId: string | null; organizationId: string | null };
type Found = Owner & { apiKey: EventApiKey };
type Keys = ReadonlyMap<string, Found>;

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

const isOwner = ({ userId, organizationId }: Owner): boolean =>
  userId !== null || organizationId !== null;

/** Returns the owner that an audit entry names, else that of the existing key. Undefined if neither does. */
const ownerOf = ({ before, after }: AuditedChange, key: Found | undefined): Owner | undefined => {
  const named = [before, after].map((state) => ({
    userId: textOrNull(state?.["userId"]),
    organizationId: textOrNull(state?.["organizationId"]),
  }));
  const owner = named.find(isOwner) ?? key;
  return owner && { userId: owner.userId, organizationId: owner.organizationId };
};

const subjectOf = ({ userId, organizationId }: Owner) =>
  organizationId === null
    ? ({ kind: "user", id: userId ?? "" } as const)
    : ({ kind: "organization", id: organizationId } as const);

/** The audited actions that are events. */
const types = {
  "api-key.created": "api-key.created",
  "api-key.updated": "api-key.updated",
  "api-key.rerolled": "api-key.updated",
  "api-key.enabled": "api-key.updated",
  "api-key.disabled": "api-key.updated",
  "api-key.deleted": "api-key.deleted",
  "api-key.expired": "api-key.deleted",
  "api-key.exhausted": "api-key.exhausted",
} as const;

const isEvent = (action: string): action is keyof typeof types => Object.hasOwn(types, action);

/** A key that was deleted right after its change may have no owner any more. Its deletion is an event of its own. */
const describe = (change: AuditedChange, keys: Keys): RecordedEvent[] => {
  const { action, subjectId: apiKeyId } = change;
  const key = keys.get(apiKeyId);
  const owner = ownerOf(change, key);
  if (!isEvent(action) || !owner) return [];
  const subject = subjectOf(owner);
  const type = types[action];
  if (type === "api-key.deleted" || type === "api-key.exhausted")
    return [{ type, subject, data: { apiKeyId, ...owner } }];
  return [{ type, subject, data: { apiKeyId, ...owner, apiKey: key?.apiKey ?? null } }];
};

const findKeys = async (trx: Kysely<Tables>, ids: readonly string[]): Promise<Keys> => {
  if (ids.length === 0) return new Map();
  const rows = await trx
    .selectFrom("apiKey")
    .select(["id", "name", "start", "prefix", "enabled", "disabledByAdmin", "remaining"])
    .select(["expiresAt", "permissions", "createdAt", "updatedAt", "userId", "organizationId"])
    .where("id", "in", [...new Set(ids)])
    .execute();
  return new Map(
    rows.map(({ userId, organizationId, disabledByAdmin, enabled, ...row }) => [
      row.id,
      {
        userId,
        organizationId,
        apiKey: {
          ...row,
          enabled: enabled && !disabledByAdmin,
          expiresAt: row.expiresAt?.toISOString() ?? null,
          createdAt: row.createdAt.toISOString(),
          updatedAt: row.updatedAt.toISOString(),
        },
      },
    ]),
  );
};

/** Returns the events of audit entries, with the current keys. */
export const describeChanges = async (
  trx: Kysely<Tables>,
  changes: readonly AuditedChange[],
): Promise<RecordedEvent[][]> => {
  const about = changes.filter(
    ({ action, subjectKind }) => subjectKind === "api-key" && isEvent(action),
  );
  const keys = await findKeys(
    trx,
    about.map(({ subjectId }) => subjectId),
  );
  return changes.map((change) => (about.includes(change) ? describe(change, keys) : []));
};
