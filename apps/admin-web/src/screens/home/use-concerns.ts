import { useQueries } from "@tanstack/react-query";
import type { Operation } from "@latchkey/contracts";
import type { Permission } from "../../access/access.ts";
import { useAccess } from "../../access/use-access.ts";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import type { CallInput } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { type Concern, concernsOf } from "./concerns-of.ts";

const { identity, gateway, mailer } = operations;

const againMs = 30_000;

const needs: readonly Permission[] = [
  "statistics:read",
  "settings:read",
  "signingKey:list",
  "queue:list",
  "delivery:list",
];

/** Returns a function that makes query options. A query is enabled only if this admin has the permission. */
const useLook = () => {
  const { may } = useAccess();
  return <O extends Operation>(operation: O, input: CallInput<O>, needs: Permission) => ({
    ...operationQuery(operation, input),
    enabled: may(needs),
    refetchInterval: againEvery(againMs),
  });
};

const mails = (state: "failed" | "retrying" | "queued", sortDirection: "asc" | "desc") => ({
  query: { state, sortDirection, limit: "1" },
});

interface Concerns {
  /** This admin has none of the needed permissions. */
  readonly isBlind: boolean;
  readonly concerns: readonly Concern[];
  /** Some data is still loading and no request has failed. */
  readonly isPending: boolean;
  readonly errors: readonly Error[];
  retry(): void;
}

/** Returns the problems to look at. Refreshes them periodically. */
export const useConcerns = (): Concerns => {
  const { may } = useAccess();
  const look = useLook();
  const now = useNow();
  const reads = useQueries({
    queries: [
      look(gateway.adminReadHealth, {}, "statistics:read"),
      look(gateway.adminReadSettings, {}, "settings:read"),
      look(identity.adminListSigningKeys, {}, "signingKey:list"),
      look(identity.adminListQueues, {}, "queue:list"),
      look(mailer.adminListDeliveries, mails("failed", "desc"), "delivery:list"),
      look(mailer.adminListDeliveries, mails("retrying", "asc"), "delivery:list"),
      look(mailer.adminListDeliveries, mails("queued", "asc"), "delivery:list"),
    ],
  });
  const [health, settings, keys, queues, failed, retrying, queued] = reads;
  const findings = {
    services: health.data?.services,
    options: settings.data?.options,
    signingKeys: keys.data?.keys,
    queues: queues.data?.queues,
    failed: failed.data,
    retrying: retrying.data,
    queued: queued.data,
  };
  const failing = reads.filter(({ isError }) => isError);
  return {
    isBlind: !needs.some((permission) => may(permission)),
    concerns: concernsOf(findings, now),
    isPending: reads.some(({ isLoading, failureCount }) => isLoading && failureCount === 0),
    errors: failing.flatMap(({ error }) => (error ? [error] : [])),
    retry: () => {
      for (const { refetch } of failing) void refetch();
    },
  };
};
