import { operations } from "@latchkey/contracts";
import { type Answer, type Connections, openConnections, type RawRequest } from "./connections.ts";

/** The client of a deployment's public gateway, with all replicas that were named. */
export interface GatewayClient {
  replicas: readonly Connections[];
  /** The path prefix of the operations. */
  basePath: string;
  /** The origin of the deployment's own pages. */
  origin: string;
  /** Whether it believes forwarded client addresses, so that each simulated client has separate limits. */
  believesAddresses: boolean;
  /** Sends to a replica, in turn by number. The target is relative to the base path. */
  send(replica: number, raw: RawRequest): Promise<Answer>;
  /** Opens connections for all callers, so that concurrent requests arrive together. */
  warm(): Promise<void>;
  close(): void;
}

const defaultBasePath = "/api/auth";

const basePathOf = ({ pathname }: URL): string =>
  pathname === "/" ? defaultBasePath : pathname.replace(/\/$/, "");

export const openGatewayClient = (urls: readonly URL[], callers: number): GatewayClient => {
  const replicas = urls.map((url) => openConnections(url, callers));
  const [first] = replicas;
  if (!first) throw new Error("a gatewayClient needs an address");
  const basePath = basePathOf(first.url);
  const send: GatewayClient["send"] = (replica, raw) =>
    (replicas[replica % replicas.length] ?? first).send({ ...raw, target: basePath + raw.target });
  return {
    replicas,
    basePath,
    origin: first.url.origin,
    believesAddresses: false,
    send,
    warm: async () => {
      const sendWarmUp = (index: number) =>
        send(index, { method: "GET", target: operations.gateway.ok.path, headers: {} });
      await Promise.all(Array.from({ length: callers }, (_, index) => sendWarmUp(index)));
    },
    close: () => {
      for (const replica of replicas) replica.close();
    },
  };
};
