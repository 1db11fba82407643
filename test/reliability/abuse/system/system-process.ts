import type { Launcher } from "../../../../apps/all-in-one/src/split/create-launcher.ts";
import type {
  ServiceProcess,
  ServiceProcessOptions,
} from "../../../../apps/all-in-one/src/split/start-service-process.ts";
import { until } from "../../../../libs/testkit/src/until.ts";
import { systemUnderTest } from "../../../harness/system-under-test.ts";
import { type ProcessTold, tellMark } from "./tell-of-process.ts";

/** A process of the system that reports measurements of itself. */
export interface SystemProcess extends Pick<ServiceProcess, "service" | "ports" | "end" | "url"> {
  /** Whether the original process still runs. Processes are never restarted. */
  isRunning(): boolean;
  /** Resolves once the path answers 200. Rejects with the last log lines if the process exits before. */
  answers(path: "/health/live" | "/health/ready"): Promise<void>;
  tell(): Promise<ProcessTold>;
  /** Returns the log lines, without the reported measurements. */
  log(): readonly string[];
}

const tellMs = 60_000;
const keptLines = 200;

/** Starts a process and collects its output. */
export const createSystemProcess = (
  launcher: Launcher,
  options: Omit<ServiceProcessOptions, "onOutput">,
): SystemProcess => {
  const lines: string[] = [];
  const told: ProcessTold[] = [];
  let rest = "";
  const onOutput = (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts)
      if (line.startsWith(tellMark)) told.push(JSON.parse(line.slice(tellMark.length)));
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
    tell: async () => {
      const before = told.length;
      process.kill(launched.pid ?? 0, "SIGUSR2");
      await until(() => told.length > before || !launched.isRunning(), {
        timeoutMs: tellMs,
        describe: `the measurements of ${service}`,
      });
      const last = told.at(-1);
      if (!last || told.length === before) throw new Error(`${service} ended\n${lines.join("\n")}`);
      return last;
    },
  };
};
