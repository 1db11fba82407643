import { signMessage } from "@latchkey/crypto";
import { UnretryableError } from "@latchkey/service-kit/bus";
import { createOutbound } from "@latchkey/service-kit/http";
import type { MailerConfig } from "../config.ts";

/** A text message, as the receiver gets it in the body of a request. */
export interface OutgoingText {
  /** The number, in E.164. */
  to: string;
  text: string;
  /** The code in the text, for providers with templates of their own. */
  code: string | undefined;
  /** The purpose of the code. */
  purpose: string | undefined;
  /** The language of the text. */
  locale: string | undefined;
  /** When the code expires. */
  expiresAt: string | undefined;
}

/** Posts text messages to the application's receiver, which sends them. */
export interface TextSender {
  /** Rejects unless the receiver accepts the message. `id` is the same at every attempt, so that the receiver can detect repetitions. */
  send(id: string, text: OutgoingText, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Messages that are posted at a time. */
export const textsMax = 16;
export const textSeconds = 15;

/** As much of an answer is read, and none of it is stored, because the receiver may quote the code. */
const answerBytesMax = 1_024;

/** The statuses by which the receiver says that a message can never be sent. */
const finalStatuses = new Set([400, 410, 422]);

/** Creates the sender, or returns undefined without a receiver, so that messages are captured. */
export const createTextSender = (
  { phoneNumber: { sendURL, sendSecret = "" }, privateHosts }: MailerConfig,
  { clock }: { clock: () => number },
): TextSender | undefined => {
  if (sendURL === undefined) return undefined;
  const outbound = createOutbound({
    privateHosts,
    deadlineMilliseconds: textSeconds * 1_000,
    answerBytesMax,
    connectionsMax: textsMax,
    userAgent: "Latchkey-Texts",
  });
  return {
    send: async (id, text, signal) => {
      const body = JSON.stringify(text);
      const timestamp = Math.floor(clock() / 1_000);
      const { status } = await outbound.send(sendURL, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": String(timestamp),
          "webhook-signature": signMessage([sendSecret], { id, timestamp, body }),
        },
        body,
        signal,
      });
      if (status >= 200 && status < 300) return;
      const reason = `the receiver answered ${status}`;
      throw finalStatuses.has(status) ? new UnretryableError(reason) : new Error(reason);
    },
    close: () => outbound.close(),
  };
};
