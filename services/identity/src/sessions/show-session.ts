import { type Session, sessionSchema } from "@latchkey/contracts";
import { picker } from "@latchkey/service-kit/database";
import type { IdentityConfig } from "../config.ts";
import type { FieldSet } from "@latchkey/service-kit/fields";
import type { StoredSession } from "./store/session-store.ts";

/** Shows a session to its owner, with the token that the owner sent. */
export type ShowSession = (session: StoredSession, token: string) => Session;

/** In the order of the schema, so that a reply from the session cookie cache equals a serialized one. */
const members = Object.keys(sessionSchema.shape) as (keyof Session)[];

/** Creates the function that shows sessions: without fields that are not returned and members of disabled features. */
export const createShowSession = (
  { admin, organization }: Pick<IdentityConfig, "admin" | "organization">,
  fields: FieldSet,
): ShowSession => {
  const hidden = new Set<string>([
    ...(admin.enabled ? [] : ["impersonatedBy"]),
    ...(organization.enabled ? [] : ["activeOrganizationId"]),
    ...(organization.enabled && organization.teams.enabled ? [] : ["activeTeamId"]),
  ]);
  const pick = picker<Session>(members.filter((name) => !hidden.has(name)));
  return (stored, token) => {
    const session = pick(stored);
    session.token = token;
    return fields.addTo(session, stored.extra);
  };
};
