import { generateKeyPairSync, sign, verify } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { serveParent } from "../harness/serve-parent.ts";

// Raw rate of ES256 signature checks on the cores of this machine.

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
/** About as long as the signed bytes of an assertion. */
const signed = Buffer.alloc(69, 1);
const signature = sign("sha256", signed, privateKey);
const check = promisify(verify);

const checkUntil = async (until: number): Promise<number[]> => {
  const latencies: number[] = [];
  let now = performance.now();
  while (now < until) {
    const begun = now;
    await check("sha256", signed, publicKey, signature);
    now = performance.now();
    latencies.push(now - begun);
  }
  return latencies;
};

serveParent({
  run: async (seconds: number) => {
    const begun = performance.now();
    const until = begun + seconds * 1000;
    const all = await Promise.all(
      Array.from({ length: availableParallelism() }, () => checkUntil(until)),
    );
    const latencies = all.flat();
    return { count: latencies.length, seconds: (performance.now() - begun) / 1000, latencies };
  },
  stop: () => {},
});
