import { useQuery } from "@tanstack/react-query";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { listQuery } from "../../components/data-table/list-query.ts";
import { pageOf } from "../../components/data-table/page-of.ts";
import { csvExport } from "../../components/export/csv-export.ts";
import { readPages } from "../../components/export/read-pages.ts";
import type { ListedWebhook } from "../../components/webhooks/webhook.ts";
import type { WebhooksSearch } from "./webhooks-search.ts";

const { adminListWebhooks } = operations.webhooks;

const inputOf = ({ dir, cursor, q, state, organizationId }: WebhooksSearch) => ({
  query: {
    ...pageOf({ dir, cursor }),
    ...(q !== undefined && { searchValue: q }),
    ...(state !== undefined && { state }),
    ...(organizationId !== undefined && { organizationId }),
  },
});

/** Queries the page of webhooks that the address selects. */
export const useWebhooks = (search: WebhooksSearch) =>
  useQuery(listQuery(adminListWebhooks, "webhooks", inputOf(search)));

/** Exports all webhooks that the address selects. Nobody can read their secrets. */
export const exportedWebhooks = (search: WebhooksSearch) =>
  csvExport<ListedWebhook>({
    name: "webhooks",
    pages: readPages(adminListWebhooks, "webhooks", inputOf(search)),
    columns: {
      id: ({ id }) => id,
      url: ({ url }) => url,
      description: ({ description }) => description,
      events: ({ events }) => events.join(" "),
      organizationId: ({ organizationId }) => organizationId,
      contactEmail: ({ contactEmail }) => contactEmail,
      state: ({ state }) => state,
      stateReason: ({ stateReason }) => stateReason,
      failingSince: ({ failingSince }) => failingSince,
      lastSuccessAt: ({ lastSuccessAt }) => lastSuccessAt,
      lastFailureAt: ({ lastFailureAt }) => lastFailureAt,
      deliveredLastDay: ({ deliveredLastDay }) => deliveredLastDay,
      failedAttemptsLastDay: ({ failedAttemptsLastDay }) => failedAttemptsLastDay,
      createdAt: ({ createdAt }) => createdAt,
    },
  });
