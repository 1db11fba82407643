import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";

/** An organization with its members, invitations and teams. */
export type Organization = NonNullable<
  CallReply<typeof operations.organization.getFullOrganization>
>;
export type Member = Organization["members"][number];
export type Invitation = Organization["invitations"][number];
export type Team = NonNullable<Organization["teams"]>[number];

export interface PartProps {
  organization: Organization;
}
