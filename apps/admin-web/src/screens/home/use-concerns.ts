import { useQueries } from "@tanstack/react-query";
import type { Permission } from "../../access/access.ts";
import { useAccess } from "../../access/use-access.ts";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { type Concern, concernsOf } from "./concerns-of.ts";
import { concernReads } from "./home-reads.ts";

const againMs = 30_000;

/** Returns a function that makes query options. A query is enabled only if this admin has the permission. */
const useLook = () => {
  const { may } = useAccess();
  return <Options extends object>({ query, needs }: { query: Options; needs: Permission }) => ({
    ...query,
    enabled: may(needs),
    refetchInterval: againEvery(againMs),
  });
};

/** The problems to look at, as far as this admin may read them. */
export interface Concerns {
  readonly concerns: readonly Concern[];
  /** Some data is still loading and no request has failed. */
  readonly isPending: boolean;
  readonly errors: readonly Error[];
  retry(): void;
}

/** Returns the problems to look at. Refreshes them periodically. */
export const useConcerns = (): Concerns => {
  const look = useLook();
  const now = useNow();
  const reads = useQueries({
    queries: [
      look(concernReads.health),
      look(concernReads.settings),
      look(concernReads.keys),
      look(concernReads.queues),
      look(concernReads.failed),
      look(concernReads.retrying),
      look(concernReads.queued),
      look(concernReads.webhooks),
    ],
  });
  const [health, settings, keys, queues, failed, retrying, queued, webhooks] = reads;
  const findings = {
    services: health.data?.services,
    options: settings.data?.options,
    signingKeys: keys.data?.keys,
    queues: queues.data?.queues,
    failed: failed.data,
    retrying: retrying.data,
    queued: queued.data,
    webhooks: webhooks.data?.webhooks,
  };
  // The page reads some before it knows who may.
  const failing = reads.filter(({ isError, isEnabled }) => isError && isEnabled);
  return {
    concerns: concernsOf(findings, now),
    isPending: reads.some(({ isLoading, failureCount }) => isLoading && failureCount === 0),
    errors: failing.flatMap(({ error }) => (error ? [error] : [])),
    retry: () => {
      for (const { refetch } of failing) void refetch();
    },
  };
};
