import { hash } from "node:crypto";
import Fastify from "fastify";
import type { LookUp } from "./look-up.ts";
import { tokenHeader } from "./gateway.ts";

/** A bare service: one look-up, and what it finds as JSON. */
export const startFloorService = async (lookUp: LookUp) => {
  const app = Fastify();
  app.get("/get-session", async (request, reply) => {
    const found = await lookUp.find(hash("sha256", String(request.headers[tokenHeader]), "buffer"));
    if (!found) return reply.code(404).send();
    return reply.type("application/json").send(found);
  });
  return { url: await app.listen({ host: "127.0.0.1", port: 0 }), stop: () => app.close() };
};
