import { createServer } from "node:net";

/** A port on 127.0.0.1 that nobody listens on now. */
export function findFreePort(): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        resolvePort(typeof address === "object" && address !== null ? address.port : 0),
      );
    });
  });
}
