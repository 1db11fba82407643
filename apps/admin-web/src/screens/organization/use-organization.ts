import { useQuery } from "@tanstack/react-query";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";

const { adminGetOrganization } = operations.organization;

/** An organization with its members, teams and invitations. */
export type Organization = CallReply<typeof adminGetOrganization>;
export type Member = Organization["members"][number];
export type Team = NonNullable<Organization["teams"]>[number];
export type Invitation = Organization["invitations"][number];

export const organizationQuery = (id: string) =>
  operationQuery(adminGetOrganization, { params: { id } });

export const useOrganization = (id: string) => useQuery(organizationQuery(id));
