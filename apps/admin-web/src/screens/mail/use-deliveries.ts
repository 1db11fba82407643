import { useQuery } from "@tanstack/react-query";
import { againEvery } from "../../api/again-every.ts";
import { operations } from "../../api/contracts.ts";
import { type ListedRow, listQuery } from "../../components/data-table/list-query.ts";
import { pageOf } from "../../components/data-table/table-search.ts";
import type { MailSearch } from "./mail-search.ts";

const { adminListDeliveries } = operations.mailer;

export type Delivery = ListedRow<typeof adminListDeliveries, "deliveries">;

const againMs = 5000;
const settled: ReadonlySet<Delivery["state"]> = new Set(["sent", "captured", "failed"]);

/** Queries the page of mails that the address selects. Refreshes it while some of them are being delivered. */
export const useDeliveries = (search: MailSearch) =>
  useQuery({
    ...listQuery(adminListDeliveries, "deliveries", {
      query: { ...pageOf(search), recipient: search.q, state: search.state },
    }),
    refetchInterval: (query) =>
      query.state.data?.deliveries.some(({ state }) => !settled.has(state))
        ? againEvery(againMs)(query)
        : false,
  });
