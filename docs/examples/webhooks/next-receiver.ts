import { Webhook } from "standardwebhooks";
import type { HandleEvent, LatchkeyEvent } from "./keep-users.ts";

/** Returns the `POST` of a route handler of Next.js, such as `app/hooks/route.ts`. */
export const createNextReceiver = (secret: string, handleEvent: HandleEvent) => {
  const webhook = new Webhook(secret);
  return async (request: Request): Promise<Response> => {
    let event: LatchkeyEvent;
    try {
      // The signature covers the bytes that were sent, so the body is read as text.
      event = webhook.verify(
        await request.text(),
        Object.fromEntries(request.headers),
      ) as LatchkeyEvent;
    } catch {
      return new Response(null, { status: 401 });
    }
    await handleEvent(event);
    return new Response(null, { status: 204 });
  };
};
