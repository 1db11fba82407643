import { useQuery, useQueryClient } from "@tanstack/react-query";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { listQuery } from "../../components/data-table/list-query.ts";
import { pageOf } from "../../components/data-table/page-of.ts";
import { csvExport } from "../../components/export/csv-export.ts";
import { readPages } from "../../components/export/read-pages.ts";
import type { OrganizationSearch } from "./organization-search.ts";
import { type Member, organizationQuery } from "./use-organization.ts";

const { adminListOrganizationMembers } = operations.organization;

const inputOf = (organizationId: string, { q, role, dir, cursor }: OrganizationSearch) => ({
  params: { id: organizationId },
  query: {
    ...pageOf({ dir, cursor }),
    ...(q !== undefined && { searchValue: q }),
    ...(role !== undefined && { role }),
  },
});

/** Queries the page of members that the address selects. A refetch also reloads the organization, which has the member count. */
export const useMembers = (organizationId: string, search: OrganizationSearch) => {
  const client = useQueryClient();
  const page = useQuery(
    listQuery(adminListOrganizationMembers, "members", inputOf(organizationId, search)),
  );
  const refetch: typeof page.refetch = async (options) => {
    void client.invalidateQueries(organizationQuery(organizationId));
    return page.refetch(options);
  };
  return { ...page, refetch };
};

/** Exports all members that the address selects. */
export const exportedMembers = (organizationId: string, search: OrganizationSearch) =>
  csvExport<Member>({
    name: "members",
    pages: readPages(adminListOrganizationMembers, "members", inputOf(organizationId, search)),
    columns: {
      id: ({ id }) => id,
      userId: ({ userId }) => userId,
      email: ({ user }) => user.email,
      name: ({ user }) => user.name,
      role: ({ role }) => role,
      createdAt: ({ createdAt }) => createdAt,
    },
  });
