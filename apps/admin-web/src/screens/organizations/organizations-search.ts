import { z } from "zod";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const organizationsSearch = z.object({
  ...tableSearch,
  sort: z.enum(["createdAt", "name", "slug"]).optional().catch(undefined),
  /** The open dialog. */
  do: z.enum(["create"]).optional().catch(undefined),
});

export type OrganizationsSearch = z.output<typeof organizationsSearch>;
