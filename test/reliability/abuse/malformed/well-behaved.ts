import { connectPipelined } from "../wire/pipelined-client.ts";
import type { System } from "../system/open-system.ts";
import { benchToken } from "../../../bench/harness/stack-settings.ts";
import { toBytes } from "./http-text.ts";

/** Results of a well-behaved client. */
export interface Fared {
  asked: number;
  served: number;
  longestMs: number;
  failures: string[];
}

const pauseMs = 100;

/** Requests a session at the gateway and verifies a key, repeatedly until it is stopped. */
export const behaveWell = async (
  system: System,
  { cookie, key }: { cookie: string; key: string },
) => {
  const gateway = await connectPipelined(system.origin);
  const apikey = await connectPipelined(system.originOf("apikey"));
  const session = toBytes({
    line: "GET /api/auth/get-session HTTP/1.1",
    headers: [
      ["host", "localhost"],
      ["cookie", cookie],
    ],
  });
  const verify = toBytes({
    line: "POST /internal/api-key/verify HTTP/1.1",
    headers: [
      ["host", "localhost"],
      ["authorization", `Bearer ${benchToken}`],
      ["content-type", "application/json"],
    ],
    body: JSON.stringify({ key }),
  });
  const fared: Fared = { asked: 0, served: 0, longestMs: 0, failures: [] };
  let isOver = false;
  const callOnce = async (
    answers: Promise<readonly { status: number; body: Buffer }[]>,
    holds: string,
  ) => {
    const begun = performance.now();
    fared.asked += 1;
    try {
      const [answer] = await answers;
      if (answer?.status === 200 && answer.body.includes(holds)) fared.served += 1;
      else fared.failures.push(`${answer?.status} ${answer?.body.toString().slice(0, 200)}`);
    } catch (error) {
      fared.failures.push(String(error));
      isOver = true;
    }
    fared.longestMs = Math.max(fared.longestMs, performance.now() - begun);
  };
  const going = (async () => {
    while (!isOver) {
      await callOnce(gateway.send(session, 1), "@example.com");
      await callOnce(apikey.send(verify, 1), '"valid":true');
      await new Promise((go) => setTimeout(go, pauseMs));
    }
  })();
  return {
    stop: async (): Promise<Fared> => {
      isOver = true;
      await going;
      gateway.close();
      apikey.close();
      return fared;
    },
  };
};
