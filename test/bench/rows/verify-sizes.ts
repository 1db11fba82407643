import { compareSizes, type SizedSide } from "../harness/compare-sizes.ts";
import type { Row } from "../harness/row.ts";
import { isEnabled, seedSharedKeys } from "../harness/seed-keys.ts";
import { verifyRequest } from "../harness/verify-requests.ts";
import { type Side, withSizes } from "../harness/with-sizes.ts";

/** The same number of keys for either size, so that equally many are cached. */
const requestCount = 10_000;

const sized = async ({ child, count }: Side<void>): Promise<SizedSide> => {
  const anyKey = (): number => {
    const index = 1 + Math.floor(Math.random() * count);
    return isEnabled(index) ? index : anyKey();
  };
  return {
    url: await child.call<string>("urlOf", "apikey"),
    requests: Array.from({ length: requestCount }, () => verifyRequest(anyKey())),
  };
};

/** Latency of a verification among a million keys, compared with ten thousand. */
export const verifySizes: Row = {
  name: "verify-sizes",
  measure: (bench) =>
    withSizes(
      bench,
      { what: "keys", context: "lists", few: 10_000, many: 1_000_000, seed: seedSharedKeys },
      async ({ many, few }) => [
        await compareSizes(bench, {
          path: "POST /internal/api-key/verify",
          many: await sized(many),
          few: await sized(few),
          judgedShare: 0.5,
        }),
      ],
    ),
};
