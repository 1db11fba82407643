import { z } from "zod";
import { type FeatureName, operation } from "../operation.ts";
import { plainText, timestamp } from "../plain-text.ts";
import type { AuditedService } from "../service-name.ts";
import { pageQuery } from "./pages.ts";

const { limit, cursor } = pageQuery;

/** A moment, or a day of UTC, which is meant whole. */
const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

const state = z.record(z.string(), z.unknown()).nullable();

const auditEntry = z.object({
  id: z.string(),
  occurredAt: timestamp,
  actor: z.object({
    /** `user`, `service`, `system` or `anonymous`. */
    kind: z.string(),
    id: z.string().nullable(),
  }),
  subject: z.object({ kind: z.string(), id: z.string() }),
  /** What was done, as `noun.verb`. */
  action: z.string(),
  outcome: z.string(),
  /** Where the caller was; empty where nobody called. */
  address: z.string(),
  requestId: z.string(),
  /** What changed, as it was and as it became. */
  before: state,
  after: state,
  /** Its place in the chain, which is the order of sealing, and the hash up to there in hex; null for a moment at first. */
  seal: z.object({ position: z.number(), hash: z.string() }).nullable(),
});
export type AuditListEntry = z.output<typeof auditEntry>;

/** What a page of the audit log is asked for by. */
export const auditQuery = z.object({
  limit,
  cursor,
  actorId: plainText(255).optional(),
  subjectId: plainText(255).optional(),
  /** Its beginning. */
  action: plainText(255).optional(),
  outcome: z.enum(["success", "refused"]).optional(),
  /** Both are included. */
  from: moment.optional(),
  to: moment.optional(),
});
export type AuditQuery = z.output<typeof auditQuery>;

/** The audit log of a service, for admins of the installation. */
export const listAuditOperation = <
  const Name extends string,
  const Owner extends AuditedService,
  const Feature extends FeatureName,
>({
  name,
  owner,
  feature,
}: {
  name: Name;
  owner: Owner;
  feature: Feature;
}) =>
  operation({
    name,
    owner,
    feature,
    exposure: "public",
    method: "GET",
    path: `/admin/audit/${owner}`,
    summary: `Searches and pages through the audit log of ${owner}, newest first.`,
    access: "permission",
    permission: {
      resource: "audit",
      action: "list",
      refusal: "YOU_ARE_NOT_ALLOWED_TO_LIST_THE_AUDIT_LOG",
    },
    query: auditQuery,
    reply: z.object({
      entries: z.array(auditEntry),
      /** Gives the next page, as `cursor`; absent on the last one. */
      nextCursor: z.string().optional(),
    }),
    errors: [],
    repeatable: true,
  });
