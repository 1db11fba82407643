import type { EventApiKey, EventTypeOf, RecordedEvent } from "@latchkey/contracts";
import { type AuditedChange, describeChange, type Describers } from "@latchkey/service-kit/events";
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

/** A key that was deleted right after its change may have no owner any more. Its deletion is an event of its own. */
const keyEvent =
  (type: "api-key.created" | "api-key.updated") =>
  (change: AuditedChange, keys: Keys): RecordedEvent[] => {
    const { subjectId: apiKeyId } = change;
    const key = keys.get(apiKeyId);
    const owner = ownerOf(change, key);
    if (!owner) return [];
    const data = { apiKeyId, ...owner, apiKey: key?.apiKey ?? null };
    return [{ type, subject: subjectOf(owner), data }];
  };

const endedEvent =
  (type: "api-key.deleted" | "api-key.exhausted") =>
  (change: AuditedChange, keys: Keys): RecordedEvent[] => {
    const { subjectId: apiKeyId } = change;
    const owner = ownerOf(change, keys.get(apiKeyId));
    return owner ? [{ type, subject: subjectOf(owner), data: { apiKeyId, ...owner } }] : [];
  };

const describers: Describers<EventTypeOf<"apikey">, Keys> = {
  "api-key.created": keyEvent("api-key.created"),
  "api-key.updated": keyEvent("api-key.updated"),
  "api-key.deleted": endedEvent("api-key.deleted"),
  "api-key.exhausted": endedEvent("api-key.exhausted"),
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
  const about = changes.filter(({ subjectKind }) => subjectKind === "api-key");
  const keys = await findKeys(
    trx,
    about.map(({ subjectId }) => subjectId),
  );
  return changes.map((change) => describeChange(describers, change, keys));
};
