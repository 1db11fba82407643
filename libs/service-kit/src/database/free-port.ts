import { createServer } from "node:net";

/** A TCP port on 127.0.0.1 that nobody listens on now. Another process may take it before you do: be ready to ask again. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address !== null
          ? resolve(address.port)
          : reject(new Error("The system gave no port")),
      );
    });
  });
}
