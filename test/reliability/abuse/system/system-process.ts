import type { Launcher } from "../../../../apps/all-in-one/src/split/create-launcher.ts";
import type {
  ServiceProcess,
  ServiceProcessOptions,
} from "../../../../apps/all-in-one/src/split/start-service-process.ts";
import { until } from "../../../../libs/testkit/src/until.ts";
import { systemUnderTest } from "../../../harness/system-under-test.ts";
import { type Measurements, measurementsMark } from "./report-measurements.ts";

/** A process of the system that reports measurements of itself. */
export interface SystemProcess extends Pick<ServiceProcess, "service" | "ports" | "end" | "url"> {
  /** Whether the original process still runs. Processes are never restarted. */
  isRunning(): boolean;
  /** Resolves once the path answers 200. Rejects with the last log lines if the process exits before. */
  answers(path: "/health/live" | "/health/ready"): Promise<void>;
  measure(): Promise<Measurements>;
  /** Returns the log lines, without the reported measurements. */
  log(): readonly string[];
}

const measureMs = 60_000;
const keptLines = 200;

/** Starts a process and collects its output. */
export const createSystemProcess = (
  launcher: Launcher,
  options: Omit<ServiceProcessOptions, "onOutput">,
): SystemProcess => {
  const lines: string[] = [];
  const measurements: Measurements[] = [];
  let rest = "";
  const onOutput = (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts)
      if (line.startsWith(measurementsMark))
        measurements.push(JSON.parse(line.slice(measurementsMark.length)));
      else lines.push(line);
    lines.splice(0, lines.length - keptLines);
  };
  const launched = launcher.launch({ system: systemUnderTest(), ...options, onOutput });
  const { service } = options;
  return {
    service,
    ports: launched.ports,
    url: launched.url,
    end: launched.end,
    isRunning: launched.isRunning,
    log: () => lines,
    answers: async (path) => {
      if (await launched.answers(path)) return;
      throw new Error(`${service} ended at its start\n${lines.join("\n")}`);
    },
    measure: async () => {
      const before = measurements.length;
      process.kill(launched.pid ?? 0, "SIGUSR2");
      await until(() => measurements.length > before || !launched.isRunning(), {
        timeoutMs: measureMs,
        describe: `the measurements of ${service}`,
      });
      const last = measurements.at(-1);
      if (!last || measurements.length === before)
        throw new Error(`${service} ended\n${lines.join("\n")}`);
      return last;
    },
  };
};
