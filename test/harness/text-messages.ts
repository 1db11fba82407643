import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { LatchkeyConfig } from "@latchkey/contracts";
import { until } from "@latchkey/testkit";
import {
  createTextReceiver,
  type TextMessage,
} from "../../docs/examples/phone-numbers/text-receiver.ts";

/** A receiver of text messages, which keeps them. It is the example of the documents. */
export interface TextCatcher {
  messages: readonly TextMessage[];
  /** The options with which a system sends its messages here. */
  options: NonNullable<LatchkeyConfig["phoneNumber"]>;
  /** Returns the code of the latest message to a number, once there is one after the first `seen`. */
  codeTo: (phoneNumber: string, seen?: number) => Promise<string>;
  /** Fails the next messages, or all until it is called again. */
  fail: (count: number) => void;
  stop: () => Promise<void>;
}

let count = 0;
/** Returns a mobile number that no other test of the file uses. */
export const newNumber = (): string => `+4915${String(200_000_000 + (count += 1))}`;

export const startTextCatcher = async (): Promise<TextCatcher> => {
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const messages: TextMessage[] = [];
  let failures = 0;
  const server = createTextReceiver(secret, async (message) => {
    if (failures > 0) {
      failures -= 1;
      throw new Error("the provider is down");
    }
    messages.push(message);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    messages,
    options: {
      enabled: true,
      allowedCountries: ["DE", "US"],
      sendURL: `http://127.0.0.1:${port}/texts`,
      sendSecret: secret,
    },
    codeTo: async (phoneNumber, seen = 0) => {
      const sent = () => messages.filter(({ to }) => to === phoneNumber);
      await until(() => sent().length > seen);
      return sent().at(-1)?.code ?? "";
    },
    fail: (next) => {
      failures = next;
    },
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
};
