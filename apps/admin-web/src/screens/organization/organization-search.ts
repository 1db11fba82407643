import { z } from "zod";
import { tableSearch } from "../../components/data-table/table-search.ts";

export const organizationTabs = [
  "members",
  "invitations",
  "teams",
  "api-keys",
  "settings",
  "json",
] as const;

export const organizationSearch = z.object({
  ...tableSearch,
  /** Lists only the members with this role. */
  role: z.string().min(1).max(64).optional().catch(undefined),
  tab: z.enum(organizationTabs).optional().catch(undefined),
});

export type OrganizationSearch = z.output<typeof organizationSearch>;
