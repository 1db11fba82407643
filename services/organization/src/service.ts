import { organizationFieldKinds } from "@latchkey/contracts";
import type { WantedView } from "@latchkey/service-kit/custom-names";
import { startRecordingEvents } from "@latchkey/service-kit/events";
import { areFieldsSynced, fieldColumns, syncFields } from "@latchkey/service-kit/fields";
import { defineService } from "@latchkey/service-kit/run";
import {
  fieldTables,
  type OrganizationConfig,
  optionOf,
  readOrganizationConfig,
} from "./config.ts";
import { consumers } from "./consumers.ts";
import { migrations } from "./db/migrations.ts";
import { createDeps } from "./deps.ts";
import { createDescribeChanges } from "./events/describe-changes.ts";
import { sweepMerges } from "@latchkey/service-kit/merges";
import { sweepIssuedInvitations } from "./invitations/issue-invitation.ts";
import { sweepDepartedUsers } from "./organizations/forget-user.ts";
import { firstChecks, operations } from "./operations.ts";

/** Returns the views that the options request, one for each table with a custom name. */
const wantedViews = ({
  organization: { schema },
}: Pick<OrganizationConfig, "organization">): WantedView[] =>
  organizationFieldKinds.flatMap((table) => {
    const { modelName, fields, additionalFields } = schema[table];
    if (modelName === undefined) return [];
    return [
      {
        table,
        option: optionOf(table),
        name: modelName,
        names: fields,
        computed: fieldColumns(additionalFields),
      },
    ];
  });

/** Owns organizations, members, invitations and teams. It is ready without identity, because few operations need that. */
export const organization = defineService({
  name: "organization",
  options: readOrganizationConfig,
  schema: {
    migrations,
    views: wantedViews,
    beforeViews: (db, config) => syncFields(db, fieldTables(config)),
    isReadyForViews: (db, config) => areFieldsSynced(db, fieldTables(config)),
  },
  createDeps,
  operations,
  firstChecks,
  headersFor: ({ urgentEvents }, caller) => urgentEvents.headersFor(caller),
  consumers,
  sweeps: [sweepDepartedUsers, sweepIssuedInvitations, sweepMerges],
  background: (deps) => [
    startRecordingEvents({
      ...deps,
      isEnabled: deps.config.recordsEvents,
      describe: createDescribeChanges(deps),
    }),
  ],
});
