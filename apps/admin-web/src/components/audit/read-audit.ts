import type { AuditedService } from "@latchkey/contracts";
import { ApiError } from "../../api/api-error.ts";
import { askPatiently } from "../../api/ask-patiently.ts";
import { call, type CallReply } from "../../api/call.ts";
import { auditedServices, operations } from "../../api/contracts.ts";
import { isOffered } from "../../api/offered.ts";
import { type AuditPlace, comparePlaces } from "./audit-place.ts";
import { mergeSorted } from "./merge-sorted.ts";

const { identity, organization, apikey, mailer } = operations;

const lists = {
  identity: identity.adminListIdentityAudit,
  organization: organization.adminListOrganizationAudit,
  apikey: apikey.adminListApiKeyAudit,
  mailer: mailer.adminListMailerAudit,
} as const satisfies Record<AuditedService, unknown>;

type Reply = CallReply<(typeof lists)["identity"]>;

/** An entry, and whose log it is in. */
export type AuditEntry = Reply["entries"][number] & { readonly service: AuditedService };

/** Which entries are asked for; without any member, all of them. */
export interface AuditFilter {
  /** The beginning of an action. */
  readonly q?: string | undefined;
  readonly service?: AuditedService | undefined;
  readonly outcome?: "success" | "refused" | undefined;
  readonly actor?: string | undefined;
  readonly subject?: string | undefined;
  /** Days of UTC, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface AuditRange {
  readonly filter: AuditFilter;
  /** Only what comes after is given. */
  readonly after?: AuditPlace | undefined;
  /** How many are asked for at once. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Asks again for a page that fails to come, as queries do by themselves. */
  readonly isPatient?: boolean;
}

/** Whether a service keeps a log that can be asked for: not while its features are off. */
export const keepsLog = (service: AuditedService): boolean => isOffered(lists[service]);

/** A service whose features were switched off since the page was loaded has no log any more. */
const orNone = async (asked: Promise<Reply>): Promise<Reply> => {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { entries: [] };
    throw error;
  }
};

const readPage = (service: AuditedService, range: AuditRange, cursor?: string): Promise<Reply> => {
  const { filter, after, limit, signal, isPatient } = range;
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
  const ask = () => call(lists[service], { query }, signal);
  return orNone(isPatient ? askPatiently(ask, signal) : ask());
};

async function* readLog(service: AuditedService, range: AuditRange): AsyncGenerator<AuditEntry> {
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
  const asked = service ? [service] : auditedServices;
  return mergeSorted(
    asked.filter(keepsLog).map((name) => readLog(name, range)),
    comparePlaces,
  );
};
