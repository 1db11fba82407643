import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { operations } from "../../api/contracts.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { pageOf } from "../../components/data-table/table-search.ts";
import type { OrganizationSearch } from "./organization-search.ts";
import { organizationQuery } from "./use-organization.ts";

const { adminListOrganizationMembers } = operations.organization;

/** Queries the page of members that the address selects. A refetch also reloads the organization, which has the member count. */
export const useMembers = (organizationId: string, search: OrganizationSearch) => {
  const { q, role } = search;
  const { sortBy: _, ...query } = pageOf(search);
  const client = useQueryClient();
  const page = useQuery({
    ...operationQuery(adminListOrganizationMembers, {
      params: { id: organizationId },
      query: {
        ...query,
        ...(q !== undefined && { searchValue: q }),
        ...(role !== undefined && { role }),
      },
    }),
    select: ({ members, ...totals }) => ({ rows: members, ...totals }),
    placeholderData: keepPreviousData,
  });
  const refetch: typeof page.refetch = async (options) => {
    void client.invalidateQueries(organizationQuery(organizationId));
    return page.refetch(options);
  };
  return { ...page, refetch };
};
