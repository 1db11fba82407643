import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { first, type Plant, second } from "./plants.ts";
import { namesOf, proveSystem, runMilliseconds } from "./prove-system.ts";
import { startFaultyDeployment } from "./systems.ts";

expectNoLeaks("file");

/** A proof that cannot fail proves nothing, so each guard is removed, one of every class at a time. */
describe.each([
  ["postgres", "first", first],
  ["redis", "second", second],
] as const)("a system with sessions in %s and the %s faults", (stores, name, plants) => {
  test(
    "fails exactly the checks of these faults",
    async () => {
      const system = await startFaultyDeployment(stores, name);
      try {
        const report = await proveSystem(system);
        const expected = plants.flatMap((plant: Plant) => plant.failedChecks);
        expect(namesOf(report, "failed").toSorted()).toEqual(expected.toSorted());
        expect(namesOf(report, "not proven")).toEqual([]);
        expect([report.ok, report.left]).toEqual([false, []]);
      } finally {
        await system.stop();
      }
    },
    runMilliseconds,
  );
});
