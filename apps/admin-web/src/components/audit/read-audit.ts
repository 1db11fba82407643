import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { callPatiently } from "@latchkey/ui/api/call-patiently.ts";
import { call, type CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { alternativesOf, type AuditFilter } from "./alternatives-of.ts";
import { type AuditPlace, comparePlaces } from "./audit-place.ts";
import { type AuditSource, auditSources } from "./audit-sources.ts";
import { mergeSorted } from "./merge-sorted.ts";
import { matchesRefused, readRefusedSignIns } from "./read-refused-sign-ins.ts";

const { identity, organization, apikey, mailer, webhooks, oauth } = operations;

const lists = {
  identity: identity.adminListIdentityAudit,
  organization: organization.adminListOrganizationAudit,
  apikey: apikey.adminListApiKeyAudit,
  mailer: mailer.adminListMailerAudit,
  webhooks: webhooks.adminListWebhookAudit,
  oauth: oauth.adminListOauthAudit,
  "refused-sign-ins": identity.adminListRefusedSignIns,
} as const satisfies Record<AuditSource, unknown>;

type Reply = CallReply<(typeof lists)["identity"]>;

/** An audit entry and the log that contains it. */
export type AuditEntry = Reply["entries"][number] & { readonly service: AuditSource };

/** The number of entries in one log that match. If it is an estimate, there are at least that many. */
interface LogTotal {
  readonly total: number;
  readonly isEstimate: boolean;
}

interface AuditRange {
  readonly filter: AuditFilter;
  /** Receives the number of matches in each log before the first entry is read. An entry that matches several alternatives counts for each. */
  readonly totals?: LogTotal[] | undefined;
  /** Returns only the entries after this place. */
  readonly after?: AuditPlace | undefined;
  /** The entries per request. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Retries temporary failures. Queries do this by themselves. */
  readonly isPatient?: boolean;
}

/** Whether a service has an audit log. It has none while its features are off. */
export const keepsLog = (service: AuditSource): boolean => isOffered(lists[service]);

interface LogPage {
  readonly entries: readonly Reply["entries"][number][];
  readonly nextCursor?: string | undefined;
  readonly total?: number | undefined;
  readonly totalIsEstimate?: boolean | undefined;
}

/** Reads a missing log as empty: the service's features may have been switched off since the page was loaded. */
const orNone = async (asked: Promise<LogPage>): Promise<LogPage> => {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { entries: [] };
    throw error;
  }
};

const idsOf = (ids: string | readonly string[] | undefined) =>
  typeof ids === "object" ? [...ids] : ids;

const readPage = (service: AuditSource, range: AuditRange, cursor?: string): Promise<LogPage> => {
  const { filter, after, limit, signal, isPatient, totals } = range;
  const { q, actor, subject, outcome, address, request, from, to } = filter;
  const page = { limit: String(limit), cursor, from, to: after?.occurredAt ?? to };
  const matching = {
    actionPart: q,
    actorId: idsOf(actor),
    subjectId: idsOf(subject),
    outcome,
    address,
    requestId: request,
    ...(totals && cursor === undefined && { counts: "true" as const }),
  };
  const fetchPage = (): Promise<LogPage> =>
    service === "refused-sign-ins"
      ? readRefusedSignIns({ ...page, userId: subject?.toString() }, signal)
      : call(lists[service], { query: { ...page, ...matching } }, signal);
  return orNone(isPatient ? callPatiently(fetchPage, signal) : fetchPage());
};

async function* readLog(service: AuditSource, range: AuditRange): AsyncGenerator<AuditEntry> {
  let cursor: string | undefined;
  do {
    const page = await readPage(service, range, cursor);
    if (cursor === undefined)
      range.totals?.push({
        total: page.total ?? page.entries.length,
        isEstimate:
          page.totalIsEstimate ?? (page.total === undefined && page.nextCursor !== undefined),
      });
    for (const entry of page.entries) {
      const placed = { ...entry, service };
      if (!range.after || comparePlaces(placed, range.after) > 0) yield placed;
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

const logsOf = (range: AuditRange): AsyncGenerator<AuditEntry>[] => {
  const { service } = range.filter;
  const sources = service ? [service] : auditSources;
  return sources.filter(keepsLog).flatMap((name) => {
    if (name !== "refused-sign-ins") return [readLog(name, range)];
    if (!matchesRefused(range.filter)) return [];
    // Their list takes one user at a time.
    return [range.filter.subject].flat().map((subject) => {
      const filter = { ...range.filter, subject };
      return readLog(name, { ...range, filter });
    });
  });
};

/** Yields the selected entries of all services, newest first. Requests each page only when it is needed. */
export async function* readAudit(range: AuditRange): AsyncGenerator<AuditEntry> {
  const logs = alternativesOf(range.filter).flatMap((filter) => logsOf({ ...range, filter }));
  let last: AuditEntry | undefined;
  for await (const entry of mergeSorted(logs, comparePlaces)) {
    // An entry can match several alternatives.
    if (!last || comparePlaces(last, entry) !== 0) yield entry;
    last = entry;
  }
}
