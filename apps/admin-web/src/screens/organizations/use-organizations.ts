import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { CallReply } from "../../api/call.ts";
import { operations } from "../../api/contracts.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { pageOf } from "../../components/data-table/table-search.ts";
import type { OrganizationsSearch } from "./organizations-search.ts";

const { adminListOrganizations } = operations.organization;

export type ListedOrganization = CallReply<typeof adminListOrganizations>["organizations"][number];

/** Queries the page of organizations that the address selects. */
export const useOrganizations = (search: OrganizationsSearch) =>
  useQuery({
    ...operationQuery(adminListOrganizations, {
      query: { ...pageOf(search), ...(search.q !== undefined && { searchValue: search.q }) },
    }),
    select: ({ organizations, ...totals }) => ({ rows: organizations, ...totals }),
    placeholderData: keepPreviousData,
  });
