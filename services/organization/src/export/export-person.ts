import type { TakePersonItem } from "@latchkey/contracts";
import { readCursor } from "@latchkey/service-kit/database";
import type { Deps } from "../deps.ts";
import { selectInvitationsBy, selectInvitationsTo, selectMemberships } from "./queries.ts";

/** Exports a person's memberships and invitations, without other members and without the names of inviters. */
export const exportPerson = (
  { db }: Pick<Deps, "db">,
  { id, email }: { id: string; email: string },
  take: TakePersonItem,
): Promise<void> =>
  db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (trx) => {
      for await (const rows of readCursor(trx, selectMemberships(id)))
        for (const { role, createdAt, extra, teams, ...organization } of rows)
          await take("memberships", {
            organization,
            role,
            team: teams[0] ?? null,
            teams,
            extra,
            createdAt,
          });
      for await (const rows of readCursor(trx, selectInvitationsTo(email)))
        for (const { organizationId, organizationName, email: _, ...invitation } of rows)
          await take("invitationsReceived", {
            ...invitation,
            organization: { id: organizationId, name: organizationName },
          });
      for await (const rows of readCursor(trx, selectInvitationsBy(id)))
        for (const { organizationId, organizationName, ...invitation } of rows)
          await take("invitationsSent", {
            ...invitation,
            organization: { id: organizationId, name: organizationName },
          });
    });
