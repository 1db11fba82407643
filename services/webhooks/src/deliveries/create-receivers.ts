import { createOutbound, type Outbound } from "@latchkey/service-kit/http";
import type { WebhooksConfig } from "../config.ts";

/** The stored part of a response, for diagnosis. */
const answerBytesMax = 1_024;

/** Requests of one process at a time. Bounds the memory, whatever waits. */
export const requestsMax = 400;

/** The HTTP clients for receivers. */
interface Receivers {
  /** Returns the client for the webhooks of an organization, or of the installation. */
  of(organizationId: string | null): Outbound;
  close(): Promise<void>;
}

/**
 * Opens the clients. Members of organizations choose their URLs, so those never lead to the private hosts, which operators allow for servers
 * of their own. One host may serve many webhooks, so connections are bounded by the number of requests and not for each host.
 */
export const createReceivers = ({
  privateHosts,
  organizationHosts,
  webhooks,
}: Pick<WebhooksConfig, "organizationHosts" | "privateHosts" | "webhooks">): Receivers => {
  const open = (hosts: readonly string[]) =>
    createOutbound({
      privateHosts: hosts,
      deadlineMilliseconds: webhooks.timeout * 1_000,
      answerBytesMax,
      connectionsMax: requestsMax,
      userAgent: "Latchkey-Webhooks",
    });
  const [installation, organizations] = [open(privateHosts), open(organizationHosts)];
  return {
    of: (organizationId) => (organizationId === null ? installation : organizations),
    close: async () => {
      await Promise.all([installation.close(), organizations.close()]);
    },
  };
};
