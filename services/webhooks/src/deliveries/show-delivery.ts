import { type WebhookDelivery, WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { findEndpoint } from "../endpoints/queries.ts";
import {
  type AttemptRow,
  type DeliveryRow,
  findBody,
  findDelivery,
  listAttempts,
} from "./queries.ts";

/** Returns a delivery as callers see it. */
export const showDelivery = ({ subjectKind, subjectId, ...row }: DeliveryRow): WebhookDelivery => ({
  ...row,
  subject: { kind: subjectKind, id: subjectId },
});

/** Names a delivery. With an organization, a delivery to an endpoint of any other is unknown. */
export interface NamedDelivery {
  id: string;
  organizationId?: string | undefined;
}

/** Returns a delivery and the URL of its endpoint. Throws `WEBHOOK_DELIVERY_NOT_FOUND`. */
export const getDelivery = async (
  { db }: Pick<Deps, "db">,
  { id, organizationId }: NamedDelivery,
): Promise<{ row: DeliveryRow; url: string; events: readonly string[] }> => {
  const row = await findDelivery(db, id);
  const endpoint = row && (await findEndpoint(db, row.endpointId));
  if (!endpoint || (organizationId !== undefined && endpoint.organizationId !== organizationId))
    throw new WireError("WEBHOOK_DELIVERY_NOT_FOUND");
  return { row, url: endpoint.url, events: endpoint.events };
};

export interface DeliveryDetails {
  delivery: WebhookDelivery;
  request: { url: string; headers: Record<string, string>; body: string };
  attempts: AttemptRow[];
}

/**
 * Returns the request and the responses of a delivery. The time and the signature differ in each attempt and are left out. The body is empty
 * once the event is deleted.
 */
export const showDetails = async (
  { db }: Pick<Deps, "db">,
  { row, url }: { row: DeliveryRow; url: string },
): Promise<DeliveryDetails> => {
  const [body = "", attempts] = await Promise.all([
    findBody(db, row.eventId),
    listAttempts(db, row.id),
  ]);
  const headers = { "content-type": "application/json", "webhook-id": row.eventId };
  return { delivery: showDelivery(row), request: { url, headers, body }, attempts };
};
