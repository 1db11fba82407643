import { useQuery } from "@tanstack/react-query";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { mailList } from "../../components/mails/mail-list.ts";
import { isUnderWay } from "../../components/mails/delivery-state.tsx";
import { pageOf } from "../../components/data-table/page-of.ts";
import type { MailSearch } from "./mail-search.ts";

const { adminListDeliveryAttempts } = operations.mailer;

const againMs = 2000;

/** Returns the input of the list that the address selects. */
export const deliveriesInput = (search: MailSearch) => ({
  query: { ...pageOf(search), recipient: search.q, state: search.state },
});

/** Queries the page of mails that the address selects. Refreshes it while some of them are being delivered. */
export const useDeliveries = (search: MailSearch) =>
  useQuery({
    ...mailList.query(deliveriesInput(search)),
    refetchInterval: (query) =>
      query.state.data?.deliveries.some(({ state }) => isUnderWay(state))
        ? againEvery(againMs)(query)
        : false,
  });

export type Attempt = CallReply<typeof adminListDeliveryAttempts>["attempts"][number];

/** Queries a mail with its attempts. Refreshes it while it is being delivered, so that a retry shows its outcome. */
export const useDelivery = (id: string) =>
  useQuery({
    ...operationQuery(adminListDeliveryAttempts, { params: { id } }),
    refetchInterval: (query) =>
      query.state.data && isUnderWay(query.state.data.delivery.state)
        ? againEvery(againMs)(query)
        : false,
  });
