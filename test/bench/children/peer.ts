import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { toNodeHandler } from "better-auth/node";
import { Redis } from "ioredis";
import pg from "pg";
import { serveParent } from "../harness/serve-parent.ts";
import type { PeerInput } from "../harness/seed-peer.ts";
import { createPeer } from "../peer/create-peer.ts";

// better-auth behind the HTTP server of Node. Its verification of API keys is a function, which this server offers to backends.

interface Verifier {
  api: { verifyApiKey(input: { body: { key: string } }): Promise<object> };
}

const answerVerification = async (
  auth: Verifier,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const { key } = (await json(request)) as { key: string }; // sent by the load
  const body = JSON.stringify(await auth.api.verifyApiKey({ body: { key } }));
  response.setHeader("content-type", "application/json");
  response.setHeader("content-length", Buffer.byteLength(body));
  response.end(body);
};

const start = async ({ databaseUrl, poolMax, redis: sessions }: PeerInput) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolMax });
  pool.on("error", () => {});
  const redis = sessions && new Redis(sessions.url, { keyPrefix: sessions.keyPrefix });
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listens on a port
  const auth = await createPeer({ pool, ...(redis && { redis }) }, url);
  const handle = toNodeHandler(auth);
  server.on("request", (request, response) => {
    const answered = request.url?.startsWith("/internal/")
      ? answerVerification(auth as unknown as Verifier, request, response) // the plugin's types are lost
      : handle(request, response);
    answered.catch((error: unknown) => response.destroy(error as Error));
  });
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    redis?.disconnect();
    await pool.end();
  };
  return { url, stop };
};

let stop = async () => {};

serveParent({
  start: async (input: PeerInput) => {
    const peer = await start(input);
    stop = peer.stop;
    return peer.url;
  },
  stop: () => stop(),
});
