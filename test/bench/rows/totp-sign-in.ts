import { withShortRounds } from "../harness/bench.ts";
import { compare, type Side } from "../harness/compare.ts";
import { runLoad } from "../harness/load.ts";
import { sessionLine } from "../harness/ratio-lines.ts";
import { getSessionRequests } from "../harness/requests.ts";
import type { Row } from "../harness/row.ts";
import { seedPostgres } from "../harness/seed.ts";
import { seedTotp, totpRequests } from "../harness/totp-load.ts";
import { stackModule, withChildren } from "../harness/with-children.ts";

/** 1.3 times the cost when it was set. */
const cpuMax = 25;

/**
 * Verifications of a code of an authenticator app in sign-ins that wait for it, compared with get-session in the same process. The password
 * before it is not part of the row: its hash would hide everything else.
 */
export const totpSignIn: Row = {
  name: "totp-sign-in",
  measure: (bench) =>
    bench.withStores(async (stores) => {
      await seedPostgres(stores.databaseUrl);
      await seedTotp(stores.databaseUrl);
      return withChildren({ stack: stackModule }, async ({ stack: child }) => {
        const url = await child.call<string>("start", stores.stackInput("postgres"));
        const { connections } = bench.options;
        const sideOf = (next: () => Buffer, part: string): Side => ({
          child,
          run: (seconds) =>
            runLoad(
              {
                url,
                connections,
                next,
                accepts: ({ status, body }) => status === 200 && body.includes(part),
              },
              seconds,
            ),
        });
        const comparison = await compare(withShortRounds(bench), {
          ours: sideOf(totpRequests(), '"token":'),
          floor: sideOf(getSessionRequests(), "@example.com"),
        });
        return [
          sessionLine("POST /two-factor/verify-totp, in a waiting sign-in", comparison, cpuMax),
        ];
      });
    }),
};
