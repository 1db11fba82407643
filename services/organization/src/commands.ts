import type { TakePersonItem } from "@latchkey/contracts";
import { noteTakeOver, type Settings, type TakenCounts, withDatabase } from "@latchkey/service-kit";
import { schema } from "./db/schema.ts";
import type { Tables } from "./db/tables.ts";
import type { Deps } from "./deps.ts";
import { exportPerson as exportPersonWith } from "./export/export-person.ts";
import { organization } from "./service.ts";
import { takeInvitations } from "./take-over/take-invitations.ts";
import { takeMembers } from "./take-over/take-members.ts";
import { takeOrganizations } from "./take-over/take-organizations.ts";
import { takeOverActor } from "./take-over/take-over-actor.ts";
import { takeTeams } from "./take-over/take-teams.ts";

// Functions for the command line. They run beside the running service or without it.

/** Exports a person's memberships and invitations. */
export const exportPerson = (
  settings: Settings,
  person: { id: string; email: string },
  take: TakePersonItem,
): Promise<void> =>
  withDatabase<Tables, void>(settings, schema, (db) => exportPersonWith({ db }, person, take));

export { importedColumns } from "./take-over/given.ts";

const createTakers = (deps: Deps) => ({
  take: {
    organization: (batch: Parameters<typeof takeOrganizations>[1]) =>
      takeOrganizations(deps, batch),
    team: (batch: Parameters<typeof takeTeams>[1]) => takeTeams(deps, batch),
    member: (batch: Parameters<typeof takeMembers>[1]) => takeMembers(deps, batch),
    invitation: (batch: Parameters<typeof takeInvitations>[1]) => takeInvitations(deps, batch),
  },
  /** Records the import run in the audit. */
  note: (run: { source: string; counts: TakenCounts }) =>
    noteTakeOver(deps, { ...run, actor: takeOverActor }),
});

/** Passes the functions that import rows of another database to `work`, and closes their connections when it ends. */
export const withTakeOver = <T>(
  settings: Settings,
  work: (takers: ReturnType<typeof createTakers>) => Promise<T>,
): Promise<T> => organization.withDeps(settings, (deps) => work(createTakers(deps)));
