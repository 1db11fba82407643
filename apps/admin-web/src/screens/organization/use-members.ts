import { useQuery, useQueryClient } from "@tanstack/react-query";
import { operations } from "../../api/contracts.ts";
import { listQuery } from "../../components/data-table/list-query.ts";
import { pageOf } from "../../components/data-table/table-search.ts";
import type { OrganizationSearch } from "./organization-search.ts";
import { organizationQuery } from "./use-organization.ts";

const { adminListOrganizationMembers } = operations.organization;

/** Queries the page of members that the address selects. A refetch also reloads the organization, which has the member count. */
export const useMembers = (organizationId: string, search: OrganizationSearch) => {
  const { q, role, dir, cursor } = search;
  const client = useQueryClient();
  const page = useQuery(
    listQuery(adminListOrganizationMembers, "members", {
      params: { id: organizationId },
      query: {
        ...pageOf({ dir, cursor }),
        ...(q !== undefined && { searchValue: q }),
        ...(role !== undefined && { role }),
      },
    }),
  );
  const refetch: typeof page.refetch = async (options) => {
    void client.invalidateQueries(organizationQuery(organizationId));
    return page.refetch(options);
  };
  return { ...page, refetch };
};
