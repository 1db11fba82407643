import { matrix, representatives } from "../harness/matrix.ts";

const stores = ["postgres", "redis"] as const;

/** Returns each published client with a store of sessions: every version, on another store each. The matrix has every pair. */
export const versionsOnStores = <Make>(makers: Readonly<Record<string, Make>>) =>
  matrix(...stores.keys()).flatMap((shift) =>
    Object.entries(makers).map(([version, make], index) => ({
      stores: stores[(index + shift) % stores.length] ?? "postgres",
      version,
      make,
    })),
  );

/** The same, but `npm test` has the newest client only. `client.test.ts` and others show that an older one sends requests that work. */
export const newestOnStores = <Make>(makers: Readonly<Record<string, Make>>) =>
  representatives(versionsOnStores(makers), ({ version }) => version === "1.7");
