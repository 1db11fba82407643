import { operations, type OperationReply, type Wire } from "@latchkey/contracts";
import { type Answer, openConnections } from "./http/connections.ts";

const { verifyApiKey } = operations.apikey;

export type Verdict = Wire<OperationReply<typeof verifyApiKey>>;

/** A client of the apikey service's replicas, as other services of the deployment call them. */
export interface KeyService {
  replicas: number;
  /** Uses a key once at a replica by number. */
  verify(key: string, replica?: number): Promise<Answer<Verdict>>;
  close(): void;
}

interface KeyServiceOptions {
  urls: readonly URL[];
  token: string;
  callers: number;
}

export const openKeyService = ({ urls, token, callers }: KeyServiceOptions): KeyService => {
  const replicas = urls.map((url) => openConnections(url, callers));
  return {
    replicas: replicas.length,
    verify: async (key, replica = 0) => {
      const chosen = replicas[replica % replicas.length];
      if (!chosen) throw new Error("no replica of the apikey service was named");
      const path = chosen.url.pathname.replace(/\/$/, "");
      return (await chosen.send({
        method: verifyApiKey.method,
        target: `${path}/internal${verifyApiKey.path}`,
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify({ key }),
      })) as Answer<Verdict>;
    },
    close: () => {
      for (const replica of replicas) replica.close();
    },
  };
};
