import { compare } from "../harness/compare.ts";
import type { Run } from "../harness/load.ts";
import { openPasskeyLoad } from "../harness/passkey-load.ts";
import { throughputLine } from "../harness/ratio-lines.ts";
import type { Row } from "../harness/row.ts";
import { seedPostgres } from "../harness/seed.ts";
import { signatureModule, stackModule, withChildren } from "../harness/with-children.ts";

/**
 * Sign-ins by passkey, compared with signature checks alone on the same cores. Each sign-in is two requests that write the challenge, the
 * counter and the session, so the ratio has no budget: it shows how little of the work is the signature.
 */
export const passkeySignIn: Row = {
  name: "passkey-sign-in",
  measure: (bench) =>
    bench.withStores(async (stores) => {
      await seedPostgres(stores.databaseUrl);
      return withChildren({ stack: stackModule, signature: signatureModule }, async (children) => {
        const { stack, signature } = children;
        const url = await stack.call<string>("start", stores.stackInput("postgres"));
        const result = await compare(bench, {
          ours: { child: stack, run: await openPasskeyLoad(url) },
          floor: { child: signature, run: (seconds) => signature.call<Run>("run", seconds) },
        });
        return [throughputLine("sign-in by passkey", result)];
      });
    }),
};
