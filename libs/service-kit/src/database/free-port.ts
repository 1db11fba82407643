import { createServer } from "node:net";

/** Returns a free TCP port on 127.0.0.1. Another process may take it first, so be ready to retry. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address !== null
          ? resolve(address.port)
          : reject(new Error("The system returned no port")),
      );
    });
  });
}
