import { oneOf, searchOf, textParam, textThat } from "../../components/search-param.ts";
import { auditSources } from "../../components/audit/audit-sources.ts";
import { tableSearch } from "../../components/data-table/table-search.ts";
import { isDay } from "@latchkey/ui/components/day-range.ts";
import { isTime } from "@latchkey/ui/components/local-time.ts";

const { q, cursor } = tableSearch;
const id = textParam(255);
const moment = textThat((text) => isTime(text) || isDay(text));

export const auditSearch = searchOf({
  /** A name of who acted or was acted on, a part of the action, or a whole IP address or id. */
  q,
  /** The place after which the page begins. */
  cursor,
  service: oneOf(...auditSources),
  outcome: oneOf("success", "refused"),
  /** Ids, which identify users after they change their name or address. */
  actor: id,
  subject: id,
  /** The IP address of the caller. */
  address: id,
  request: id,
  /** Times, or days in UTC. Both are included. */
  from: moment,
  to: moment,
  /** The entry in the open drawer, as `service:id`. */
  entry: id,
});

export type AuditSearch = ReturnType<typeof auditSearch>;

/** The filters in the popover. */
export const detailNames = ["actor", "subject", "address", "request", "from", "to"] as const;
