import type { Settings } from "@latchkey/service-kit/config";
import { personExport } from "@latchkey/service-kit/database";
import { recordImport, type ImportCounts } from "@latchkey/service-kit/import";
import { schema } from "./db/tables.ts";
import type { Deps } from "./deps.ts";
import { exportPerson as exportPersonWith } from "./export/export-person.ts";
import { organization } from "./service.ts";
import { importInvitations, importMembers } from "./import/import-members.ts";
import { importOrganizations, importTeams } from "./import/import-organizations.ts";
import { importOrganizationRoles } from "./import/import-roles.ts";
import { importTeamMembers } from "./import/import-team-members.ts";
import { importActor } from "./import/read-values.ts";

// Functions for the command line. They run beside the running service or without it.

/** Exports a person's memberships and invitations. */
export const exportPerson = personExport(schema, exportPersonWith);

export { importedColumns } from "./import/read-values.ts";

const createImport = (deps: Deps) => ({
  importRows: {
    organization: (batch: Parameters<typeof importOrganizations>[1]) =>
      importOrganizations(deps, batch),
    team: (batch: Parameters<typeof importTeams>[1]) => importTeams(deps, batch),
    organizationRole: (batch: Parameters<typeof importOrganizationRoles>[1]) =>
      importOrganizationRoles(deps, batch),
    teamMember: (batch: Parameters<typeof importTeamMembers>[1]) => importTeamMembers(deps, batch),
    member: (batch: Parameters<typeof importMembers>[1]) => importMembers(deps, batch),
    invitation: (batch: Parameters<typeof importInvitations>[1]) => importInvitations(deps, batch),
  },
  /** Records the import run in the audit. */
  note: (run: { source: string; counts: ImportCounts }) =>
    recordImport(deps, { ...run, actor: importActor }),
});

/** Passes the functions that import rows of another database to `work`, and closes their connections when it ends. */
export const withImport = <T>(
  settings: Settings,
  work: (opened: ReturnType<typeof createImport>) => Promise<T>,
): Promise<T> => organization.withDeps(settings, (deps) => work(createImport(deps)));
