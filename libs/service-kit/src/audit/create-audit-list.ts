import {
  type AuditListEntry,
  type AuditQuery,
  type Caller,
  comparableEmail,
  hasPermissions,
  operations,
  type Options,
  WireError,
} from "@latchkey/contracts";
import type { Kysely } from "kysely";
import type { ResolvedSession } from "../http/require-session.ts";
import type { Answer } from "../http/run-operation.ts";
import type { ServiceClient } from "../http/service-client.ts";
import type { KitTables } from "../database/kit-tables.ts";
import { type ListedPage, readList, readUncounted } from "../lists/read-list.ts";
import { type AuditFilter, auditListOf, type ListedAudit } from "./list-queries.ts";

const dayLength = "YYYY-MM-DD".length;
const dayMilliseconds = 86_400_000;

const show = (row: ListedAudit): AuditListEntry => {
  const { id, occurredAt, action, outcome, address, requestId, before, after } = row;
  return {
    id: String(id),
    occurredAt,
    actor: { kind: row.actorKind, id: row.actorId },
    subject: { kind: row.subjectKind, id: row.subjectId },
    action,
    outcome,
    address,
    requestId,
    before,
    after,
    seal:
      row.position === null || row.hash === null
        ? null
        : { position: row.position, hash: row.hash.toString("hex") },
  };
};

/** Returns the exclusive end of an inclusive time or day. */
const endOf = (to: string): Date =>
  new Date(Date.parse(to) + (to.length === dayLength ? dayMilliseconds : 1));

/** A query without addresses. */
type AuditIdQuery = Omit<AuditQuery, "actorEmail" | "subjectEmail">;

interface AuditReply extends Omit<Partial<ListedPage<unknown>>, "rows"> {
  entries: AuditListEntry[];
}

/**
 * Returns a page of a service's audit log, newest first, each row with its seal if it has one. Throws `VALIDATION_ERROR` for an
 * invalid limit or cursor.
 */
export const listAudit = async <Tables extends KitTables>(
  { db, schema }: { db: Kysely<Tables>; schema: string },
  { query: { limit, cursor, from, to, counts, ...filter } }: { query: AuditIdQuery },
): Promise<Answer<AuditReply>> => {
  const read = counts === "true" ? readList : readUncounted;
  const { rows, ...next } = await read<ListedAudit, AuditFilter>(db, auditListOf(schema), {
    ...filter,
    limit,
    cursor,
    from: from === undefined ? undefined : new Date(from),
    until: to === undefined ? undefined : endOf(to),
  });
  return { reply: { entries: rows.map(show), ...next } };
};

/** The dependencies of a service's audit list. */
interface AuditSource {
  db: Kysely<any>; // of any service
  schema: string;
  config: Pick<Options, "admin">;
}

interface AuditCall {
  query: AuditQuery;
  caller: Pick<Caller, "requestId">;
  session: Pick<ResolvedSession, "user">;
}

/** Returns the users with these lower-case addresses. */
type FindByEmail<Deps> = (
  deps: Deps,
  emails: readonly string[],
  caller: Pick<Caller, "requestId">,
) => Promise<readonly { id: string; email: string }[]>;

/** Finds users by a call to identity. */
export const findByEmailRemotely = async (
  { identity }: { identity: Pick<ServiceClient, "call"> },
  emails: readonly string[],
  { requestId }: Pick<Caller, "requestId">,
): Promise<{ id: string; email: string }[]> => {
  const body = { emails: [...emails] };
  return (await identity.call(operations.identity.findUsers, { body }, { requestId })).users;
};

/** An empty text counts as missing. */
const nonEmpty = (text: string | undefined): string | undefined => text || undefined;

/**
 * Replaces the addresses of a query by the ids of their users. Returns undefined if no entry can match, because no user has an address,
 * or its user has another id than the query gives. Logs contain ids alone, so an address would reveal which user has it.
 */
const withoutAddresses = async <Deps>(
  deps: Deps & Pick<AuditSource, "config">,
  { query, caller, session }: AuditCall,
  findByEmail: FindByEmail<Deps>,
): Promise<AuditIdQuery | undefined> => {
  const { actorEmail, subjectEmail, ...rest } = query;
  const emails = [actorEmail, subjectEmail].flatMap((email) =>
    nonEmpty(email) ? [comparableEmail(email ?? "")] : [],
  );
  if (emails.length === 0) return rest;
  if (!hasPermissions(deps.config.admin, session.user, { user: ["list"] }))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_LIST_USERS");
  const users = await findByEmail(deps, emails, caller);
  /** Returns null if nobody fits. */
  const idOf = (ids: string | string[] | undefined, email: string | undefined) => {
    if (!nonEmpty(email)) return ids;
    const id = users.find((user) => user.email === comparableEmail(email ?? ""))?.id;
    const wanted = [ids ?? []].flat().filter(Boolean);
    return id !== undefined && (wanted.length === 0 || wanted.includes(id)) ? id : null;
  };
  const [actorId, subjectId] = [idOf(rest.actorId, actorEmail), idOf(rest.subjectId, subjectEmail)];
  return actorId === null || subjectId === null ? undefined : { ...rest, actorId, subjectId };
};

/**
 * Creates the list of a service's audit log, newest first, each row with its seal if it has one. Throws `VALIDATION_ERROR` for an
 * invalid limit or cursor, and an error if the caller gives an address without the permission to list users.
 */
export const createAuditList =
  <Deps>(findByEmail: FindByEmail<Deps>) =>
  async (deps: Deps & AuditSource, call: AuditCall): Promise<Answer<AuditReply>> => {
    const query = await withoutAddresses(deps, call, findByEmail);
    if (query) return listAudit(deps, { query });
    return { reply: { entries: [], ...(call.query.counts === "true" && { total: 0 }) } };
  };
