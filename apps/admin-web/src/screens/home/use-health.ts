import { useQuery } from "@tanstack/react-query";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";

const { adminReadHealth } = operations.gateway;

export type ServiceHealth = CallReply<typeof adminReadHealth>["services"][number];

const againMs = 15_000;

/** Queries the health of every service periodically. */
export const useHealth = () =>
  useQuery({ ...operationQuery(adminReadHealth, {}), refetchInterval: againEvery(againMs) });
