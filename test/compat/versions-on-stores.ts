import { matrix } from "../harness/matrix.ts";

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
