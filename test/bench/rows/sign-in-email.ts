import { compare } from "../harness/compare.ts";
import { type Run, runLoad } from "../harness/load.ts";
import { throughputLine } from "../harness/ratio-lines.ts";
import type { Row } from "../harness/row.ts";
import { seedSignIns, signInLoad } from "../harness/sign-in-load.ts";
import { scryptModule, stackModule, withChildren } from "../harness/with-children.ts";

const throughputMin = 0.9;

/** Sign-ins, compared with password hashes alone on the same cores. */
export const signInEmail: Row = {
  name: "sign-in-email",
  measure: (bench) =>
    bench.withStores(async (stores) => {
      await seedSignIns(stores.databaseUrl);
      return withChildren({ stack: stackModule, scrypt: scryptModule }, async (children) => {
        const { stack, scrypt } = children;
        const url = await stack.call<string>("start", stores.stackInput("postgres"));
        const load = signInLoad(url);
        const result = await compare(bench, {
          ours: { child: stack, run: (seconds) => runLoad(load, seconds) },
          floor: { child: scrypt, run: (seconds) => scrypt.call<Run>("run", seconds) },
        });
        return [throughputLine("POST /sign-in/email", result, throughputMin)];
      });
    }),
};
