import { setTimeout as delay } from "node:timers/promises";
import type { Bench } from "../harness/bench.ts";
import type { Stores } from "../harness/open-stores.ts";
import { createMixedLoad } from "../harness/mixed-load.ts";
import type { Line, Row } from "../harness/row.ts";
import { type Running, withNpmStart, withReplicas } from "../harness/run-programs.ts";
import { seedMixed } from "./mixed-load.ts";

/** After this time without load, a process has returned the memory that it returns. */
const restMilliseconds = 15_000;

/** A program that serves collects the garbage of its start within this time. */
const startMilliseconds = 1_000;

/** Largest accepted memory right after the start. */
const megabytesMax = { service: 120, all: 200 };

const readAll = ({ programs }: Running): Promise<(number | undefined)[]> =>
  Promise.all(programs.map(({ program }) => program.residentMegabytes()));

/** Returns no verdict if the operating system does not report the memory. */
const withVerdict = (megabytes: number | undefined, max: number): Pick<Line, "met"> =>
  megabytes === undefined ? {} : { met: megabytes <= max };

/** Resident memory of each program right after its start, after a mixed load and after an idle period. */
const measure = async (
  { options: { roundSeconds, rounds, connections } }: Bench,
  running: Running,
  max: number,
): Promise<Line[]> => {
  await delay(startMilliseconds);
  const started = await readAll(running);
  const run = await createMixedLoad(running.addresses, connections);
  await run(roundSeconds * rounds);
  const loaded = await readAll(running);
  await delay(restMilliseconds);
  const rested = await readAll(running);
  const show = (figures: readonly (number | undefined)[], index: number) =>
    figures[index]?.toFixed(0) ?? "?";
  return running.programs.map(({ name }, index) => ({
    path: `memory: ${name}`,
    ours: `${show(started, index)} MB at start, ${show(loaded, index)} MB under load, ${show(rested, index)} MB after`,
    floor: "",
    ratio: "",
    budget: `<= ${max} MB at start`,
    ...withVerdict(started[index], max),
  }));
};

/** Memory of each process at its second start, split and as `npm start` runs them, without the stores. */
export const memory: Row = {
  name: "memory",
  measure: (bench) =>
    bench.withStores(async (stores: Stores) => {
      await seedMixed(stores);
      // The first start writes the compiled code.
      await withReplicas({ stores, count: 1 }, async () => {});
      const split = await withReplicas({ stores, count: 1 }, (running) =>
        measure(bench, running, megabytesMax.service),
      );
      const whole = await withNpmStart(stores, (running) =>
        measure(bench, running, megabytesMax.all),
      );
      return [...split, ...whole];
    }),
};
