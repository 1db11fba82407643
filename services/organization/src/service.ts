import { defineService, startRecordingEvents } from "@latchkey/service-kit";
import { readOrganizationConfig } from "./config.ts";
import { consumers } from "./consumers.ts";
import { migrations } from "./db/migrations.ts";
import { createDeps } from "./deps.ts";
import { describeChanges } from "./events/describe-changes.ts";
import { sweepIssuedInvitations } from "./invitations/issued/sweep-issued-invitations.ts";
import { sweepDepartedUsers } from "./members/sweep-departed-users.ts";
import { firstChecks, operations } from "./operations.ts";
import { wantedViews } from "./db/wanted-views.ts";

/** Owns organizations, members, invitations and teams. It is ready without identity, because few operations need that. */
export const organization = defineService({
  name: "organization",
  options: readOrganizationConfig,
  schema: { migrations, views: wantedViews },
  createDeps,
  operations,
  firstChecks,
  headersFor: ({ urgentEvents }, caller) => urgentEvents.headersFor(caller),
  consumers,
  sweeps: [sweepDepartedUsers, sweepIssuedInvitations],
  background: (deps) => [
    startRecordingEvents({
      ...deps,
      isEnabled: deps.config.recordsEvents,
      describe: describeChanges,
    }),
  ],
});
