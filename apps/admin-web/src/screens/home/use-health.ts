import { useQuery } from "@tanstack/react-query";
import { againEvery } from "../../api/again-every.ts";
import type { CallReply } from "../../api/call.ts";
import { operations } from "../../api/contracts.ts";
import { operationQuery } from "../../api/operation-query.ts";

const { adminReadHealth } = operations.gateway;

export type ServiceHealth = CallReply<typeof adminReadHealth>["services"][number];

const againMs = 15_000;

/** Queries the health of every service periodically. */
export const useHealth = () =>
  useQuery({ ...operationQuery(adminReadHealth, {}), refetchInterval: againEvery(againMs) });
