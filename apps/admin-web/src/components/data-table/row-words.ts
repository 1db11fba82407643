import { t } from "../../texts.ts";

/** The kind of the rows of a list, which names them in texts. */
export type RowKind =
  | "clients"
  | "deliveries"
  | "emails"
  | "entries"
  | "events"
  | "keys"
  | "members"
  | "messages"
  | "options"
  | "organizations"
  | "users"
  | "webhooks";

/** Names rows without their number: "users". */
export const rowsText = (kind: RowKind): string => t(`rows.${kind}.plural`);

/** Counts rows: "3 users", "about 1,200 users". */
export const totalText = (count: number, kind: RowKind, isEstimate = false): string => {
  const rows = t(`rows.${kind}.count`, { count });
  return isEstimate ? t("rows.about", { rows }) : rows;
};
