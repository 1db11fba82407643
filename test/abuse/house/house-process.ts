import type { Launcher } from "../../../scripts/split/create-launcher.ts";
import type {
  ServiceProcess,
  ServiceProcessOptions,
} from "../../../scripts/split/start-service-process.ts";
import { until } from "../../../libs/testkit/src/until.ts";
import { houseUnderTest } from "../../house/house-under-test.ts";
import { type ProcessTold, tellMark } from "./tell-of-process.ts";

/** A process of the house that can be asked about itself. */
export interface HouseProcess extends Pick<ServiceProcess, "service" | "ports" | "end" | "url"> {
  /** Whether it runs as it was started: none of ours is ever started again. */
  isRunning(): boolean;
  /** Resolves once it answers well; rejects with its last words where it ends before. */
  answers(path: "/health/live" | "/health/ready"): Promise<void>;
  tell(): Promise<ProcessTold>;
  /** What it has logged, but for what it told. */
  log(): readonly string[];
}

const tellMs = 60_000;
const keptLines = 200;

/** Starts one and listens to it. */
export const createHouseProcess = (
  launcher: Launcher,
  options: Omit<ServiceProcessOptions, "onOutput">,
): HouseProcess => {
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
  const launched = launcher.launch({ house: houseUnderTest(), ...options, onOutput });
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
        describe: `what ${service} tells of itself`,
      });
      const last = told.at(-1);
      if (!last || told.length === before) throw new Error(`${service} ended\n${lines.join("\n")}`);
      return last;
    },
  };
};
