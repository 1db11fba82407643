import { z } from "zod";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const organizationTabs = ["members", "invitations", "teams", "settings", "json"] as const;

export const organizationSearch = z.object({
  ...tableSearch,
  tab: z.enum(organizationTabs).optional().catch(undefined),
});

export type OrganizationSearch = z.output<typeof organizationSearch>;
