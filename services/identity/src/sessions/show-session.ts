import type { Session } from "@latchkey/contracts";
import type { IdentityConfig } from "../config.ts";
import type { FieldSet } from "../fields/field-set.ts";
import type { StoredSession } from "./session-store.ts";

/** Shows a session to its owner, with the token that the owner sent. */
export type ShowSession = (session: StoredSession, token: string) => Session;

/** Creates the function that shows sessions: without fields that are not returned and members of disabled features. */
export const createShowSession =
  (
    { admin, organization }: Pick<IdentityConfig, "admin" | "organization">,
    fields: FieldSet,
  ): ShowSession =>
  (stored, token) => {
    const session: Session = {
      id: stored.id,
      token,
      userId: stored.userId,
      expiresAt: stored.expiresAt,
      createdAt: stored.createdAt,
      updatedAt: stored.updatedAt,
      ipAddress: stored.ipAddress,
      userAgent: stored.userAgent,
    };
    if (admin.enabled) session.impersonatedBy = stored.impersonatedBy;
    if (organization.enabled) session.activeOrganizationId = stored.activeOrganizationId;
    return fields.isEmpty ? session : Object.assign(session, fields.show(stored.extra));
  };
