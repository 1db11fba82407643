import { z } from "zod";
import { type FeatureName, operation } from "../operation.ts";
import { operationGroup } from "../operation-group.ts";
import { stepUps } from "../step-up.ts";
import { plainText, timestamp } from "../plain-text.ts";
import type { AuditedService } from "../service-name.ts";
import { oneOrMore, pageQuery, pageTotals } from "./pages.ts";

const { limit, cursor } = pageQuery;

/** A moment, or a whole UTC day. */
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
  /** The audited action, as `noun.verb`. */
  action: z.string(),
  outcome: z.string(),
  /** The IP address of the caller. Empty if there was no caller. */
  address: z.string(),
  requestId: z.string(),
  /** The changed members, before and after. */
  before: state,
  after: state,
  /** The entry's position in the chain, in the order of sealing, and the chain's hash up to it in hex. Null until the entry is sealed. */
  seal: z.object({ position: z.number(), hash: z.string() }).nullable(),
});
export type AuditListEntry = z.output<typeof auditEntry>;

/** Filters and position of a page of the audit log. */
export const auditQuery = z.object({
  limit,
  cursor,
  /** One id, or several, of which an entry has one. */
  actorId: oneOrMore.optional(),
  subjectId: oneOrMore.optional(),
  /** The current address of the user who acted. Needs the permission `user: ["list"]`, as does `subjectEmail`. */
  actorEmail: plainText(320).optional(),
  /** The current address of the user who was acted on. */
  subjectEmail: plainText(320).optional(),
  /** A prefix of the action. */
  action: plainText(255).optional(),
  /** A part of the action. Dots, hyphens and spaces are equal in it. */
  actionPart: plainText(255).optional(),
  outcome: z.enum(["success", "refused"]).optional(),
  /** The IP address of the caller, as entries show it. */
  address: plainText(255).optional(),
  /** All entries of one request have its id. */
  requestId: plainText(255).optional(),
  /** Both are included. */
  from: moment.optional(),
  to: moment.optional(),
  /** `true`: the reply has the `total`. */
  counts: z.enum(["true", "false"]).optional(),
});
export type AuditQuery = z.output<typeof auditQuery>;

/** The audit log of a service, for admins of the installation. */
const listAuditOperation = <
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
    stepUp: stepUps.reads,
    owner,
    feature,
    exposure: "public",
    rateClass: "general",
    method: "GET",
    path: `/admin/audit/${owner}`,
    summary: `Searches and pages through the audit log of ${owner}, newest first.`,
    access: "permission",
    refusesImpersonators: true,
    permission: {
      resource: "audit",
      action: "list",
      refusal: "YOU_ARE_NOT_ALLOWED_TO_LIST_THE_AUDIT_LOG",
    },
    query: auditQuery,
    reply: z.object({
      entries: z.array(auditEntry),
      /** The `cursor` of the next page. Absent on the last page. */
      nextCursor: pageTotals.nextCursor,
      /** With `counts`: the number of all matching entries, exact up to 10,000. If it is an estimate, there are at least that many. */
      total: pageTotals.total.optional(),
      totalIsEstimate: pageTotals.totalIsEstimate,
    }),
    errors: ["YOU_ARE_NOT_ALLOWED_TO_LIST_USERS"],
    repeatable: true,
  });

/** The operations of the audit logs, by service. */
export const auditOperations = {
  identity: operationGroup("Admin", {
    adminListIdentityAudit: listAuditOperation({
      name: "adminListIdentityAudit",
      owner: "identity",
      feature: "admin",
    }),
  }),
  organization: operationGroup("Admin", {
    adminListOrganizationAudit: listAuditOperation({
      name: "adminListOrganizationAudit",
      owner: "organization",
      feature: "organizationAdmin",
    }),
  }),
  apikey: operationGroup("Admin", {
    adminListApiKeyAudit: listAuditOperation({
      name: "adminListApiKeyAudit",
      owner: "apikey",
      feature: "apiKeyAdmin",
    }),
  }),
  mailer: operationGroup("Admin", {
    adminListMailerAudit: listAuditOperation({
      name: "adminListMailerAudit",
      owner: "mailer",
      feature: "admin",
    }),
  }),
  webhooks: operationGroup("Admin", {
    adminListWebhookAudit: listAuditOperation({
      name: "adminListWebhookAudit",
      owner: "webhooks",
      feature: "admin",
    }),
  }),
  oauth: operationGroup("Admin", {
    adminListOauthAudit: listAuditOperation({
      name: "adminListOauthAudit",
      owner: "oauth",
      feature: "oauthProviderAdmin",
    }),
  }),
} as const;
