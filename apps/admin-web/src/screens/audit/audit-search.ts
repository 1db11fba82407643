import { z } from "zod";
import { auditedServices } from "../../api/contracts.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";
import { isDay } from "../../components/ui/day-range.ts";

const { q, cursor } = tableSearch;
const id = z.string().max(255).optional().catch(undefined);
const day = z.string().refine(isDay).optional().catch(undefined);

export const auditSearch = z.object({
  /** A prefix of the action. */
  q,
  /** The place after which the page begins. */
  cursor,
  service: z.enum(auditedServices).optional().catch(undefined),
  outcome: z.enum(["success", "refused"]).optional().catch(undefined),
  actor: id,
  subject: id,
  from: day,
  to: day,
  /** The entry in the open drawer, as `service:id`. */
  entry: id,
});

export type AuditSearch = z.output<typeof auditSearch>;
