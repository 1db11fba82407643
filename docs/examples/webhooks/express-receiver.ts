import express, { type Express } from "express";
import { Webhook } from "standardwebhooks";
import type { HandleEvent, LatchkeyEvent } from "./keep-users.ts";

/** Builds an application that receives events at `/hooks`. */
export const buildExpressReceiver = (secret: string, handleEvent: HandleEvent): Express => {
  const webhook = new Webhook(secret);
  const app = express();
  // The signature covers the bytes that were sent, so the body must not be parsed before.
  app.post("/hooks", express.text({ type: "application/json" }), (request, response, next) => {
    let event: LatchkeyEvent;
    try {
      event = webhook.verify(
        request.body as string,
        request.headers as Record<string, string>,
      ) as LatchkeyEvent;
    } catch {
      response.sendStatus(401);
      return;
    }
    handleEvent(event).then(() => response.sendStatus(204), next);
  });
  return app;
};
