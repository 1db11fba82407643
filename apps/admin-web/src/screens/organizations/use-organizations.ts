import { useQuery } from "@tanstack/react-query";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { type ListedRow, listQuery } from "../../components/data-table/list-query.ts";
import { pageOf } from "../../components/data-table/page-of.ts";
import { csvExport } from "../../components/export/csv-export.ts";
import { readPages } from "../../components/export/read-pages.ts";
import type { OrganizationsSearch } from "./organizations-search.ts";

const { adminListOrganizations } = operations.organization;

export type ListedOrganization = ListedRow<typeof adminListOrganizations, "organizations">;

const inputOf = (search: OrganizationsSearch) => ({
  query: { ...pageOf(search), ...(search.q !== undefined && { searchValue: search.q }) },
});

/** Queries the page of organizations that the address selects. */
export const useOrganizations = (search: OrganizationsSearch) =>
  useQuery(listQuery(adminListOrganizations, "organizations", inputOf(search)));

/** Exports all organizations that the address selects. */
export const exportedOrganizations = (search: OrganizationsSearch) =>
  csvExport<ListedOrganization>({
    name: "organizations",
    pages: readPages(adminListOrganizations, "organizations", inputOf(search)),
    columns: {
      id: ({ id }) => id,
      name: ({ name }) => name,
      slug: ({ slug }) => slug,
      memberCount: ({ memberCount }) => memberCount,
      createdAt: ({ createdAt }) => createdAt,
    },
  });
