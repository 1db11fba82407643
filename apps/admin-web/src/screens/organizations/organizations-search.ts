import * as z from "zod/mini";
import { searchParam } from "../../components/search-param.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const organizationsSearch = z.object({
  ...tableSearch,
  sort: searchParam(z.enum(["createdAt", "name", "slug"])),
  /** The open dialog. */
  do: searchParam(z.enum(["create"])),
});

export type OrganizationsSearch = z.output<typeof organizationsSearch>;
