import { ApiError } from "../../api/api-error.ts";
import { call, type CallReply } from "../../api/call.ts";
import { operations } from "../../api/contracts.ts";
import { type AuditPlace, auditServices, comparePlaces } from "./audit-place.ts";
import type { AuditSearch, AuditService } from "./audit-search.ts";
import { mergeSorted } from "./merge-sorted.ts";

const { identity, organization, apikey, mailer } = operations;

const lists = {
  identity: identity.adminListIdentityAudit,
  organization: organization.adminListOrganizationAudit,
  apikey: apikey.adminListApiKeyAudit,
  mailer: mailer.adminListMailerAudit,
} as const;

type Reply = CallReply<(typeof lists)["identity"]>;

/** An entry, and whose log it is in. */
export type AuditEntry = Reply["entries"][number] & { readonly service: AuditService };

/** Which entries are asked for: everything of an address but where its page begins. */
export type AuditFilter = Omit<AuditSearch, "cursor" | "entry">;

interface AuditRange {
  readonly filter: AuditFilter;
  /** Only what comes after is given. */
  readonly after?: AuditPlace | undefined;
  /** How many are asked for at once. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** A service whose features are switched off keeps no log that could be asked for. */
const orNone = async (asked: Promise<Reply>): Promise<Reply> => {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { entries: [] };
    throw error;
  }
};

const readPage = (service: AuditService, range: AuditRange, cursor?: string): Promise<Reply> => {
  const { filter, after, limit, signal } = range;
  const { q, actor, subject, outcome, from, to } = filter;
  const query = {
    limit: String(limit),
    cursor,
    action: q,
    actorId: actor,
    subjectId: subject,
    outcome,
    from,
    to: after?.occurredAt ?? to,
  };
  return orNone(call(lists[service], { query }, signal));
};

async function* readLog(service: AuditService, range: AuditRange): AsyncGenerator<AuditEntry> {
  let cursor: string | undefined;
  do {
    const page = await readPage(service, range, cursor);
    for (const entry of page.entries) {
      const placed = { ...entry, service };
      if (!range.after || comparePlaces(placed, range.after) > 0) yield placed;
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** The entries of all services that fit, newest first, read page by page as they are taken. */
export const readAudit = (range: AuditRange): AsyncGenerator<AuditEntry> => {
  const { service } = range.filter;
  const asked = service ? [service] : auditServices;
  return mergeSorted(
    asked.map((name) => readLog(name, range)),
    comparePlaces,
  );
};
