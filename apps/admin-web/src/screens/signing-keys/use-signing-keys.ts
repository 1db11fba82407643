import { useQuery } from "@tanstack/react-query";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";

const { adminListSigningKeys } = operations.identity;

export type SigningKey = CallReply<typeof adminListSigningKeys>["keys"][number];

const againMs = 10_000;

/** Queries the published keys. Refreshes them while a new key is about to become active. */
export const useSigningKeys = () =>
  useQuery({
    ...operationQuery(adminListSigningKeys, {}),
    refetchInterval: (query) =>
      query.state.data?.keys.some(({ state }) => state === "next")
        ? againEvery(againMs)(query)
        : false,
  });
