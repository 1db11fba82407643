import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { againEvery } from "../../api/again-every.ts";
import type { CallReply } from "../../api/call.ts";
import { operations } from "../../api/contracts.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { pageOf } from "../../components/data-table/table-search.ts";
import type { MailSearch } from "./mail-search.ts";

const { adminListDeliveries } = operations.mailer;

export type Delivery = CallReply<typeof adminListDeliveries>["deliveries"][number];

const againMs = 5000;
const settled: ReadonlySet<Delivery["state"]> = new Set(["sent", "captured", "failed"]);

/** Queries the page of mails that the address selects. Refreshes it while some of them are being delivered. */
export const useDeliveries = (search: MailSearch) =>
  useQuery({
    ...operationQuery(adminListDeliveries, {
      query: { ...pageOf(search), recipient: search.q, state: search.state },
    }),
    select: ({ deliveries, ...totals }) => ({ rows: deliveries, ...totals }),
    placeholderData: keepPreviousData,
    refetchInterval: (query) =>
      query.state.data?.deliveries.some(({ state }) => !settled.has(state))
        ? againEvery(againMs)(query)
        : false,
  });
