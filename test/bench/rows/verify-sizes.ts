import { compareSizes, type SizedSide } from "../harness/compare-sizes.ts";
import type { Row } from "../harness/row.ts";
import { isEnabled, seedSharedKeys } from "../harness/seed-keys.ts";
import { verifyRequest } from "../harness/verify-requests.ts";
import { type Side, withSizes } from "../harness/with-sizes.ts";

/** As many of either size, so that as many are warm. */
const asked = 10_000;

const sized = async ({ child, count }: Side<void>): Promise<SizedSide> => {
  const anyKey = (): number => {
    const index = 1 + Math.floor(Math.random() * count);
    return isEnabled(index) ? index : anyKey();
  };
  return {
    url: await child.ask<string>("urlOf", "apikey"),
    requests: Array.from({ length: asked }, () => verifyRequest(anyKey())),
  };
};

/** What a verification costs among a million keys, against ten thousand. */
export const verifySizes: Row = {
  name: "verify-sizes",
  measure: (bench) =>
    withSizes(
      bench,
      { what: "keys", ground: "lists", few: 10_000, many: 1_000_000, seed: seedSharedKeys },
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
