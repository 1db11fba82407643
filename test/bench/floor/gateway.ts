import { createHmac, createSecretKey } from "node:crypto";
import Fastify, { type FastifyReply } from "fastify";
import { Pool } from "undici";
import { benchSecret } from "../harness/stack-settings.ts";

export const tokenHeader = "x-token";

const valueOf = /=([^.]+)\.([^;]+)/;

/** Starts a bare gateway: one HMAC if a session is needed, one request to the service, and its answer passed through. */
export const startFloorGateway = async (serviceUrl: string) => {
  const pool = new Pool(serviceUrl, { connections: 128 });
  const key = createSecretKey(benchSecret, "utf8");
  const app = Fastify();
  const pass = async (path: string, sent: Record<string, string>, reply: FastifyReply) => {
    const { statusCode, headers, body } = await pool.request({
      method: "GET",
      path,
      headers: sent,
    });
    return reply
      .code(statusCode)
      .header("content-type", headers["content-type"])
      .send(Buffer.from(await body.arrayBuffer()));
  };
  for (const path of ["/get-session", "/token"])
    app.get(`/api/auth${path}`, async (request, reply) => {
      const cookie = valueOf.exec(request.headers.cookie ?? "");
      const [, token = "", signature = ""] = cookie ?? [];
      const expected = createHmac("sha256", key).update(token).digest("base64");
      if (encodeURIComponent(expected) !== signature) return reply.code(401).send();
      return pass(path, { [tokenHeader]: token }, reply);
    });
  app.get("/api/auth/jwks", (_request, reply) => pass("/jwks", {}, reply));
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    url,
    stop: async () => {
      await app.close();
      await pool.close();
    },
  };
};
