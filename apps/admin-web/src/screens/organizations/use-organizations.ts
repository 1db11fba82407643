import { useQuery } from "@tanstack/react-query";
import { operations } from "../../api/contracts.ts";
import { type ListedRow, listQuery } from "../../components/data-table/list-query.ts";
import { pageOf } from "../../components/data-table/table-search.ts";
import type { OrganizationsSearch } from "./organizations-search.ts";

const { adminListOrganizations } = operations.organization;

export type ListedOrganization = ListedRow<typeof adminListOrganizations, "organizations">;

/** Queries the page of organizations that the address selects. */
export const useOrganizations = (search: OrganizationsSearch) =>
  useQuery(
    listQuery(adminListOrganizations, "organizations", {
      query: { ...pageOf(search), ...(search.q !== undefined && { searchValue: search.q }) },
    }),
  );
