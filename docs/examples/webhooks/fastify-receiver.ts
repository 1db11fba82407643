import Fastify, { type FastifyInstance } from "fastify";
import { Webhook } from "standardwebhooks";
import type { HandleEvent, LatchkeyEvent } from "./keep-users.ts";

/** Builds an application that receives events at `/hooks`. */
export const buildFastifyReceiver = (secret: string, handleEvent: HandleEvent): FastifyInstance => {
  const webhook = new Webhook(secret);
  const app = Fastify();
  // The signature covers the bytes that were sent, so the body must not be parsed before.
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) =>
    done(null, body),
  );
  app.post("/hooks", async (request, reply) => {
    let event: LatchkeyEvent;
    try {
      event = webhook.verify(
        request.body as string,
        request.headers as Record<string, string>,
      ) as LatchkeyEvent;
    } catch {
      return reply.code(401).send();
    }
    await handleEvent(event);
    return reply.code(204).send();
  });
  return app;
};
