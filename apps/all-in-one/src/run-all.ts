import { servicesOf } from "@latchkey/cli/services";
import { presentServices, type ServiceName } from "@latchkey/contracts";
import { withDeadline } from "@latchkey/service-kit/bounds";
import type { Settings } from "@latchkey/service-kit/config";
import { type RunningService, runService } from "@latchkey/service-kit/run";
import { inCallOrder } from "./split/in-call-order.ts";

const stopMilliseconds = 10_000;
const anyPorts = {
  gateway: 0,
  identity: 0,
  organization: 0,
  apikey: 0,
  mailer: 0,
  webhooks: 0,
  oauth: 0,
};

/** The services of one process, the first replica of each, with a function that stops all, callers first. */
export interface RunningAll {
  url: string;
  /** The addresses of all replicas. */
  urls: Settings["network"]["urls"];
  services: Readonly<Record<string, RunningService>>;
  stop(): Promise<void>;
}

/** Maps a service's address to the one that callers use. */
export type Reach = (service: ServiceName, url: string) => string | Promise<string>;

/**
 * Runs every service in this process, each on a separate port and with HTTP calls to the others, as in a split installation. Port 0 chooses
 * a free port. All replicas except the first use free ports. `reach` puts a proxy in between.
 */
export const runAll = async (
  settings: Settings,
  replicas = 1,
  reach: Reach = (_service, url) => url,
): Promise<RunningAll> => {
  const urls = { ...settings.network.urls };
  const network = { ...settings.network, internalHost: "127.0.0.1", urls };
  const others = { ...network, ports: anyPorts, gatewayInternalPort: 0 };
  const running: RunningService[] = [];
  const close = async () => {
    const stopped: PromiseSettledResult<void>[] = [];
    await inCallOrder("callers", async (name) => {
      const replicas = running.filter((service) => service.name === name);
      stopped.push(...(await Promise.allSettled(replicas.map((replica) => replica.stop()))));
    });
    const failed = stopped.find((result) => result.status === "rejected");
    if (failed) throw failed.reason;
  };
  const stop = async () => {
    await Promise.all(running.map((service) => service.drain()));
    await withDeadline(close(), stopMilliseconds, "stopping");
  };
  try {
    for (const service of servicesOf(presentServices(settings.options))) {
      const reached: string[] = [];
      for (let replica = 0; replica < replicas; replica += 1) {
        const own = { ...settings, network: replica === 0 ? network : others };
        const started = await runService(service, own);
        running.push(started);
        reached.push(await reach(service.name, started.url));
      }
      urls[service.name] = reached;
    }
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
  return {
    url: urls.gateway[0] ?? "",
    urls,
    // The first replica is inserted last and wins.
    services: Object.fromEntries(running.toReversed().map((service) => [service.name, service])),
    stop,
  };
};
