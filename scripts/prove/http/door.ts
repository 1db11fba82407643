import { operations } from "@latchkey/contracts";
import { type Answer, type Connections, openConnections, type RawRequest } from "./connections.ts";

/** The public door of a deployment: each of its replicas that was named. */
export interface Door {
  replicas: readonly Connections[];
  /** Path below which the operations live. */
  basePath: string;
  /** What the deployment's own pages call their origin. */
  origin: string;
  /** Whether it believes what we say of a client's address, so that each of ours has limits of its own. */
  believesAddresses: boolean;
  /** Sends to a replica, in turn by number; the target is below the base path. */
  send(replica: number, raw: RawRequest): Promise<Answer>;
  /** Has connections for all callers ready, so that what is sent at once arrives at once. */
  warm(): Promise<void>;
  close(): void;
}

const defaultBasePath = "/api/auth";

const basePathOf = ({ pathname }: URL): string =>
  pathname === "/" ? defaultBasePath : pathname.replace(/\/$/, "");

export const openDoor = (urls: readonly URL[], callers: number): Door => {
  const replicas = urls.map((url) => openConnections(url, callers));
  const [first] = replicas;
  if (!first) throw new Error("a door needs an address");
  const basePath = basePathOf(first.url);
  const send: Door["send"] = (replica, raw) =>
    (replicas[replica % replicas.length] ?? first).send({ ...raw, target: basePath + raw.target });
  return {
    replicas,
    basePath,
    origin: first.url.origin,
    believesAddresses: false,
    send,
    warm: async () => {
      const ask = (index: number) =>
        send(index, { method: "GET", target: operations.gateway.ok.path, headers: {} });
      await Promise.all(Array.from({ length: callers }, (_, index) => ask(index)));
    },
    close: () => {
      for (const replica of replicas) replica.close();
    },
  };
};
