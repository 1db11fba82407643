import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type ServiceName, serviceVariables } from "@latchkey/contracts";

/** The ports of a replica. */
export interface ServicePorts {
  port: number;
  /** Serves health and metrics. The gateway's differs from its public port. */
  internal: number;
}

/** The exit of a process. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ServiceProcessOptions {
  service: ServiceName;
  ports: ServicePorts;
  /** The whole environment of the process, except its ports. */
  environment: NodeJS.ProcessEnv;
  /** How long it still serves after SIGTERM. */
  drainSeconds: number;
  /** Its working folder. */
  folder: string;
  /** Called with the data of both outputs as it arrives. */
  onOutput: (text: string) => void;
  /** Whether the process ignores signals of the terminal. */
  isDetached?: boolean;
  /** The folder of another installation whose source it runs. By default, it runs this one as npm does. */
  system?: string;
}

/** A replica of a service in a separate process. */
export interface ServiceProcess {
  service: ServiceName;
  pid: number | undefined;
  ports: ServicePorts;
  url: string;
  ended: Promise<Ending>;
  isRunning(): boolean;
  /** Resolves to true once a path of its internal port replies 200, and to false if the process ends first. Rejects after a minute. */
  answers(path: "/health/live" | "/health/ready"): Promise<boolean>;
  kill(): void;
  /** Sends the signal if it runs, and SIGKILL if that does not end it. */
  end(signal: NodeJS.Signals): Promise<Ending>;
}

const startMilliseconds = 60_000;
const lookMilliseconds = 50;
/** A drained process may take ten seconds to close. */
const closeSeconds = 15;

const isAnswered = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(startMilliseconds) })).ok;
  } catch {
    return false;
  }
};

const thisSystem = join(import.meta.dirname, "..", "..", "..", "..");
const guard = join(import.meta.dirname, "end-with-parent.ts");

/** Returns the arguments of Node for a service. */
const argumentsFor = ({ service, system }: ServiceProcessOptions): string[] => {
  const main = `services/${service}/src/main.ts`;
  return system === undefined
    ? [guard, join(thisSystem, "scripts", "run.js"), main]
    : [guard, join(system, main)];
};

/** Runs a service until SIGTERM or the end of this process. */
export const startServiceProcess = (options: ServiceProcessOptions): ServiceProcess => {
  const { service, ports, folder, onOutput, drainSeconds } = options;
  const child = spawn(process.execPath, argumentsFor(options), {
    cwd: folder,
    detached: options.isDetached ?? false,
    stdio: "pipe",
    env: {
      ...options.environment,
      [serviceVariables(service).port]: String(ports.port),
      GATEWAY_INTERNAL_PORT: String(ports.internal),
    },
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", onOutput);
  const ended = new Promise<Ending>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    service,
    pid: child.pid,
    ports,
    url: `http://127.0.0.1:${ports.port}`,
    ended,
    isRunning,
    kill: () => child.kill("SIGKILL"),
    answers: async (path) => {
      const deadline = performance.now() + startMilliseconds;
      while (isRunning()) {
        if (await isAnswered(`http://127.0.0.1:${ports.internal}${path}`)) return true;
        if (performance.now() > deadline) throw new Error(`${service} does not answer`);
        await delay(lookMilliseconds);
      }
      return false;
    },
    end: async (signal) => {
      if (isRunning()) child.kill(signal);
      const patienceSeconds = drainSeconds + closeSeconds;
      const impatience = setTimeout(() => child.kill("SIGKILL"), patienceSeconds * 1_000);
      return ended.finally(() => clearTimeout(impatience));
    },
  };
};
