import { useQueries } from "@tanstack/react-query";
import type { Permission } from "../../access/access.ts";
import { useAccess } from "../../access/use-access.ts";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import type { Findings } from "./cards/concerns-of.ts";
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

/** The state from which the problems follow, as far as this admin may read it. */
export interface ReadFindings {
  readonly findings: Findings;
  /** Some data is still loading and no request has failed. */
  readonly isPending: boolean;
  readonly errors: readonly Error[];
  retry(): void;
}

/** Reads the state from which the problems follow. Refreshes it periodically. */
export const useFindings = (): ReadFindings => {
  const look = useLook();
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
    findings,
    isPending: reads.some(({ isLoading, failureCount }) => isLoading && failureCount === 0),
    errors: failing.flatMap(({ error }) => (error ? [error] : [])),
    retry: () => {
      for (const { refetch } of failing) void refetch();
    },
  };
};
