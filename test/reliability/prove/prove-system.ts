import type { CheckClass } from "../../../apps/cli/src/prove/check.ts";
import { prove } from "../../../apps/cli/src/prove/prove.ts";
import type { Report } from "../../../apps/cli/src/prove/report.ts";
import { admin, type Deployment, serviceToken } from "./systems.ts";

/** The minimum sample size of the rank test. */
const samples = 10;
const toUrls = (urls: readonly string[]) => urls.map((url) => new URL(url));

/** Runs all checks against a deployment, or only some. */
export const proveSystem = (
  system: Deployment,
  only: readonly CheckClass[] = [],
): Promise<Report> =>
  prove({
    urls: toUrls(system.gateway),
    admin,
    keys: { urls: toUrls(system.keys), token: serviceToken },
    receiver: undefined,
    domain: "example.com",
    only,
    measure: { callers: 16, samples, fill: 32 },
    signal: new AbortController().signal,
    onResult: () => {},
  });

/** Returns the names of the checks with a verdict. */
export const namesOf = ({ results }: Report, wanted: string) =>
  results.filter(({ verdict }) => verdict === wanted).map(({ check }) => check);

/** A run waits for limits and cached sessions, and the machine may be busy. */
export const runMilliseconds = 600_000;
