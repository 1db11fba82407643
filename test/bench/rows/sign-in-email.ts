import { compare, type Comparison } from "../harness/compare.ts";
import { type Run, runLoad } from "../harness/load.ts";
import type { Line, Row } from "../harness/row.ts";
import { seedSignIns, signInLoad } from "../harness/sign-in-load.ts";
import { scryptModule, stackModule, withChildren } from "../harness/with-children.ts";

const throughputMin = 0.9;

const lineOf = ({ ours, floor, throughputRatio }: Comparison): Line => ({
  path: "POST /sign-in/email: throughput",
  ours: `${ours.perSecond.toFixed(1)}/s`,
  floor: `${floor.perSecond.toFixed(1)}/s`,
  ratio: throughputRatio.toFixed(2),
  budget: `>= ${throughputMin}`,
  met: throughputRatio >= throughputMin,
});

/** Sign-ins against nothing but their password hashes on the same cores. */
export const signInEmail: Row = {
  name: "sign-in-email",
  measure: (bench) =>
    bench.withStores(async (stores) => {
      await seedSignIns(stores.databaseUrl);
      return withChildren({ stack: stackModule, scrypt: scryptModule }, async (children) => {
        const { stack, scrypt } = children;
        const url = await stack.ask<string>("start", stores.stackInput("postgres"));
        const load = signInLoad(url);
        const result = await compare(bench, {
          ours: { child: stack, run: (seconds) => runLoad(load, seconds) },
          floor: { child: scrypt, run: (seconds) => scrypt.ask<Run>("run", seconds) },
        });
        return [lineOf(result)];
      });
    }),
};
